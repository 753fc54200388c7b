package check

import (
	"context"
	"slices"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
)

// Spec describes a check: what it finds, why that matters, and how to fix it.
type Spec struct {
	Name, Title string
	Help        string // what is found, and when
	Why         string
	Cite        string
	Fix         string // how to fix it
	Critical    bool
	Whole       bool // about the file as a whole; accepted without a variable

	records bool // needs single records; skipped if rows represent several
	find    func(r *release) []Finding
	search  func(r *release, ctx context.Context) ([]Finding, error) // instead of find, for checks that take long
}

// Sources for why findings matter.
const (
	sourceHundep = measure.SourceHundep
	sourceTempl  = measure.SourceTempl
	sourceGuide  = measure.SourceGuide
	sourceIHSN   = "Benschop, Machingauta and Welch 2019, Statistical Disclosure Control: A Practice Guide"
	sourceSafe   = "GDPR, article 4 (1); " + sourceHundep
	sourceDomTor = "Domingo-Ferrer and Torra 2001, in Confidentiality, Disclosure and Data Access"
)

// Specs returns all checks, in the order of their findings.
func Specs() []Spec {
	return slices.Concat(unprotected(), identifying(), promised(), tables(), overlooked(), describing())
}

// unprotected returns the check for a completely unprotected file, which comes first.
func unprotected() []Spec {
	return []Spec{
		{Name: "no-protection", Title: "No protection", Critical: true, Whole: true, Cite: sourceGuide,
			Help: "No step changed a value; a random order and random IDs do not count. The finding counts the violators of " +
				"k-anonymity.",
			Why: "The file reveals as much as the original. To convert a file to another format, use sdcdesk convert.",
			Fix: "apply local suppression or another method", search: (*release).unprotected},
	}
}

// identifying returns the checks for names of persons and places.
func identifying() []Spec {
	return []Spec{
		{Name: "direct-identifiers", Title: "Direct identifiers", Critical: true, Cite: sourceSafe,
			Help: "One of these holds for a variable; amounts and random numbers are not reported.\n" +
				"- Its values are names of persons, addresses, telephone, account or identity numbers, licence plates or " +
				"hash values.\n" +
				"- Its name and values suggest an identifier.\n" +
				"- Its values are unique for nearly every record or household.\n" +
				"- Its values, or their decimals, are consecutive numbers in the original order of the records.\n" +
				"- Its values are person IDs within households, or resemble names (warnings).",
			Why: "An intruder who knows the identifier of a person finds the record.",
			Fix: "remove the variables, or replace their values with random IDs", find: (*release).identifiers},
		{Name: "household-ids", Title: "Original household IDs", Critical: true, Cite: sourceIHSN,
			Help: "The household variable still has its original values.",
			Why:  "Anyone with a list of the households, such as an interviewer, finds all their members.",
			Fix:  "assign random IDs, as a step or at export", find: numbered(household, "household")},
		{Name: "cluster-ids", Title: "Original cluster IDs", Cite: sourceIHSN,
			Help: "A variable with its original values looks like an identifier of schools, firms, clusters or other " +
				"groups, or holds the names of at least 30 firms.",
			Why: "A cluster ID shows where the members of the cluster live or for whom they work.",
			Fix: "assign random IDs, as a step or at export", find: numbered(group, "group")},
		{Name: "named-persons", Title: "Names of persons in labels", Cite: sourceSafe,
			Help: "The name of the file or of a variable, or a label, contains an e-mail address, a telephone number or the " +
				"name of a person: a form of address with a name, or a common first name before another name.",
			Why: "Labels are released with the data.", Fix: "remove the variables; rename the file",
			find: (*release).persons},
		{Name: "file-notes", Title: "Identifying notes", Critical: true, Whole: true, Cite: sourceSafe,
			Help: "The notes, documents or dataset label contain an e-mail address, a telephone or account number, a form of " +
				"address with a name, or a number after the name of an identifier. A first name before another name " +
				"and a street address are warnings. Protected files contain notes only if you choose to keep them.",
			Why: "Notes are released with the data.", Fix: "remove the notes", find: (*release).notes},
		{Name: "dates", Title: "Dates to the day", Cite: sourceIHSN,
			Help: "A variable has more than ten different dates to the day: as text, as numbers such as 20240131, or as " +
				"spreadsheet dates; or three adjacent variables hold day, month and year.",
			Why: "Together with sex and place, a date of birth or of an event makes nearly every record unique.",
			Fix: "remove the variables; recode to months or years", find: finding(date, "has dates to the day", "have dates to the day")},
		{Name: "precise-places", Title: "Precise places", Cite: sourceIHSN,
			Help: "One of these holds for a variable.\n" +
				"- Its name suggests postal codes, municipality codes or coordinates, and it has more than ten distinct " +
				"values with at least four digits or three decimals.\n" +
				"- Its values are Open Location Codes (plus codes).\n" +
				"- Its values are coordinates, in one variable or two adjacent ones.",
			Why:  "Only a few persons share a postal code or a coordinate.",
			Fix:  "remove the variables",
			find: finding(spot, "looks like a precise place", "look like precise places")},
		{Name: "free-text", Title: "Free text", Cite: sourceIHSN,
			Help: "A variable holds texts of several words, and few records share the same text.",
			Why:  "People name themselves in free text, or are recognised by their words.",
			Fix:  "remove the variables", find: finding(freeText, "is free text", "are free text")},
		{Name: "record-order", Title: "Original order", Cite: sourceHundep,
			Help: "The records are in their original order, or sorted by an identifier, an amount, a sensitive variable, or a " +
				"key variable with missing cells between equal values. Records grouped by household or region are not " +
				"reported.",
			Why: "The position of a record reveals where and when it was collected, and which records are its neighbours. In sorted records it " +
				"also reveals the rank of a value, and the value of a suppressed cell between equal values.",
			Fix: "randomise the record order, as a step or at export", find: (*release).order},
	}
}

// list joins the names of variables, the first ones if there are many.
func list(names []string) string {
	const most = 8
	return wording.Listed(wording.FirstFew(names, most))
}

// leaving returns the fix that removes variables.
func leaving(names ...string) Fix {
	return Fix{Title: "remove " + list(names), Remove: names}
}

// promised returns the checks for records at risk and for guarantees.
func promised() []Spec {
	return []Spec{
		{Name: "k-anonymity", Title: "k-anonymity that does not hold", Critical: true, Whole: true, Cite: measure.SourceSwee,
			Help: "A step made the file k-anonymous, but some records now violate it under the rule of the step. Either later " +
				"steps changed key variables, or suppressed cells can be inferred from household members or other variables " +
				"(see the inference measure, which needs the records of the original). The finding is a warning if the cells " +
				"can be inferred only from masked variables, or from variables that determine fewer than 95 % of the values. " +
				"Suppression with a budget, or for combinations of key variables, does not guarantee k.",
			Why: "The file is reported as k-anonymous, but some of its key patterns occur fewer than k times.",
			Fix: "apply local suppression for the same k, or in whole households; remove the variables that reveal suppressed " +
				"cells, or those that contain them",
			search: (*release).guarantees},
		{Name: "l-diversity", Title: "l-diversity that does not hold", Critical: true, Cite: "Machanavajjhala et al. 2007",
			Help: "The measure l-diversity is active, and some key patterns have fewer than l distinct values of a sensitive variable.",
			Why:  "An intruder who knows the key pattern of a person learns the sensitive value without finding the record.",
			Fix:  "remove the sensitive variables", search: (*release).diverse},
		{Name: "violators", Title: "Violators of k-anonymity", Critical: true, Whole: true, Cite: measure.SourceSwee + "; " + sourceGuide,
			Help: "Fewer than k records share a key pattern. k is the smallest k of the scenario " +
				"that is at least 3, or 2 if the scenario has no other. Violators under the conservative rule alone are a warning.",
			Why: "The fewer records share a key pattern, the more certain an intruder can be of an identification.",
			Fix: "apply local suppression", search: (*release).violators},
		{Name: "inference", Title: "Protected values that can be inferred", Cite: "Willenborg and de Waal 2001; " + sourceHundep,
			Help: "An intruder can infer protected values from other variables; see the inference measure. The check needs " +
				"the records of the original, in the same order or with the script.\n" +
				"- Suppressed cells of a key variable, or the original categories of at least half of its recoded cells, can be inferred with " +
				"more certainty than a guess.\n" +
				"- Sums reveal masked values, or variables reveal their order.\n" +
				"- A multiple or copy of masked values, or the product or ratio of two variables, reveals them within 0.1 % in " +
				"95 % of the records.",
			Why: "An intruder can reconstruct suppressed or recoded values from the rest of the file.",
			Fix: "remove the variables that reveal them", records: true, search: (*release).reconstructed},
		{Name: "risk", Title: "Records above the risk threshold", Critical: true, Whole: true, Cite: measure.SourceRiskAll + "; " + sourceGuide,
			Help: "The global risk is above the target of the scenario. The finding counts the records above the risk threshold. " +
				"The check needs a weight variable.",
			Why: "More re-identifications are expected than the target allows.",
			Fix: "suppress above a risk threshold; apply k-anonymity with a higher k", search: (*release).risky},
		{Name: "unique-numbers", Title: "Unique numeric values", Cite: sourceDomTor,
			Help: "At least one record in twenty has a unique value of an unmasked numeric variable; for a numeric key " +
				"variable, one record is enough.",
			Why: "An intruder who has the same value from another source finds the record.",
			Fix: "apply microaggregation", find: (*release).uniqueNumbers},
		{Name: "extreme-values", Title: "Extreme values", Cite: sourceHundep + ", section 3.4",
			Help: "One of these holds for an unmasked numeric variable.\n" +
				"- Fewer than three records share a value above the 99th percentile, or a negative value below the 1st.\n" +
				"- It is a count with few distinct values, fewer than three records share its maximum, and the maximum is at " +
				"least twice the next value.",
			Why: "The largest values often belong to well-known persons.",
			Fix: "apply top or bottom coding at that percentile, or microaggregation", find: (*release).extremes},
		{Name: "weights", Title: "Disclosive weights", Cite: sourceHundep + "; " + sourceTempl,
			Help: "Fewer than three records share a weight. Or, for at least half of the records (corrected for chance agreement), the " +
				"weights reveal the category of a removed variable or of a stratum variable that was changed.",
			Why: "An intruder who knows the sample design infers the stratum from the weight, and a unique weight identifies " +
				"a record.",
			Fix: "apply microaggregation to the weights; remove them", records: true, find: (*release).weights},
	}
}

// overlooked returns the checks for variables that protection missed or hardly changed.
func overlooked() []Spec {
	return []Spec{
		{Name: "unassigned-keys", Title: "Possible key variables without a role", Cite: sourceGuide,
			Help: "Some variables without a role in the scenario are suggested as key variables.",
			Why:  "The risk figures ignore what these variables reveal.",
			Fix:  "make them key variables; remove them", find: (*release).unassigned},
		{Name: "look-alikes", Title: "Near-duplicate categories", Cite: sourceGuide,
			Help: "Categories of a key, stratum, sensitive or PRAM variable differ only in capitals, spaces or the composition of " +
				"accents. Variables with more than 1,000 categories are not checked.",
			Why: "Frequencies, risks and l-diversity are wrong. A rare spelling also reveals who entered the record.",
			Fix: "merge the categories", find: (*release).alike},
		{Name: "replicate-weights", Title: "Replicate weights", Cite: sourceHundep + "; " + sourceTempl,
			Help: "One of these holds.\n" +
				"- At least ten numeric variables have names such as repwt1, repwt2 or brr01.\n" +
				"- At least ten variables are the weight variable multiplied by one of a few factors, such as 0 and 2. " +
				"Calibration may change them slightly.",
			Why: "Records whose replicate weights vary together belong to the same primary sampling unit.",
			Fix: "remove the variables", find: (*release).replicates},
	}
}

// describing returns the checks for what masking left unchanged.
func describing() []Spec {
	return []Spec{
		{Name: "kept-values", Title: "Values that masking left unchanged", Cite: sourceHundep,
			Help: "A masking step skipped cells: another variable of the step is missing in the record, a condition excludes the record, or its " +
				"stratum has only one category.",
			Why: "These cells have their original values, and missing values or the condition can show which records have them.",
			Fix: "apply microaggregation to the variable in a separate step", find: (*release).keptValues},
		{Name: "unchanged", Title: "Variables that masking hardly changed", Cite: sourceHundep,
			Help: "A variable was masked, but all its values are original, or more than half of the values that fewer than " +
				"three records share are within 1 % of the original.",
			Why: "An intruder who knows an original value finds the record by the nearest masked value.",
			Fix: "add noise; remove the variables", find: (*release).unchanged},
		{Name: "decimals", Title: "Decimals that distinguish masked cells", Cite: sourceHundep,
			Help: "Masked cells have more decimals than any original value, while other cells of the variable are unchanged.",
			Why:  "The number of decimals shows which values are original.",
			Fix:  "round to the decimals of the original", find: (*release).decimals},
		{Name: "former-values", Title: "Derived variables that reveal former values", Cite: sourceHundep,
			Help: "A step derived a variable from other variables that later steps recoded or suppressed.",
			Why:  "The derived variable still has their former categories.",
			Fix:  "remove the variable", find: (*release).former},
		{Name: "typed-seeds", Title: "Seeds that can be guessed", Critical: true, Whole: true, Cite: sourceHundep,
			Help: "A random step has a seed below 2^32, so a person typed it. Generated seeds have 64 bits.",
			Why:  "An intruder who tries all seeds can undo the perturbation.",
			Fix:  "let the program generate a new seed; in a script, omit the seed", find: (*release).seeds},
		{Name: "replay", Title: "Data that the steps do not produce", Critical: true, Whole: true, Cite: sourceHundep,
			Help: "Repeated on the original, the steps of the script do not give the values or variables of the file.",
			Why:  "Guarantees and reports describe the data that the script produces, not this file.",
			Fix:  "export the file again", find: (*release).replay},
	}
}
