package check

import (
	"context"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/measure"
	"github.com/sdcdesk/sdcdesk/engine/risk/inference"
)

// Spec describes a check: what it finds, why that matters, and what takes it away.
type Spec struct {
	Name, Title string
	Help        string // what is found, and when
	Why         string
	Cite        string
	Fix         string // in words
	Critical    bool
	Whole       bool // it is about the file as a whole and is accepted without a variable

	records bool // it looks at single records: data whose rows stand for several have none
	find    func(r *release) []Finding
	search  func(r *release, ctx context.Context) ([]Finding, error) // in its place, of one that takes its time
}

// Sources of why findings matter.
const (
	sourceHundep = measure.SourceHundep
	sourceTempl  = measure.SourceTempl
	sourceGuide  = measure.SourceGuide
	sourceIHSN   = "Benschop, Machingauta and Welch 2019, Statistical Disclosure Control: A Practice Guide"
	sourceSafe   = "General Data Protection Regulation (EU) 2016/679, article 4 (1); " + sourceHundep
	sourceDomTor = "Domingo-Ferrer and Torra 2001, in Confidentiality, Disclosure and Data Access"
)

// Specs returns all checks, in the order of what they find.
func Specs() []Spec {
	return slices.Concat(unprotected(), identifying(), promised(), overlooked(), describing())
}

// unprotected is the check for a file that nothing protects, which comes before what else is wrong with it.
func unprotected() []Spec {
	return []Spec{
		{Name: "no-protection", Title: "No protection", Critical: true, Whole: true, Cite: sourceGuide,
			Help: "No step changed a value: all values are those of the source. Another order and random IDs do not count as a step. The finding counts the violators of k-anonymity.",
			Why:  "The file reveals what the source reveals. To write the data as another kind of file, use sdcdesk convert.",
			Fix:  "local suppression; any other method", search: (*release).unprotected},
	}
}

// identifying are the checks for what names persons and places.
func identifying() []Spec {
	return []Spec{
		{Name: "direct-identifiers", Title: "Direct identifiers", Critical: true, Cite: sourceSafe,
			Help: "Variables with names of persons, e-mail and web addresses, telephone, account and identity numbers, licence plates, " +
				"street addresses or hash values; variables named like one whose values could be one; variables with a value of their own " +
				"for nearly every record or household, or that number the records in the order of the source, also in decimals. " +
				"Amounts and random numbers are none. Person numbers within households, and texts that only look like names, are warnings.",
			Why: "Who knows the identifier of a person finds the record, whatever else was done.",
			Fix: "leave the variables out, or give them random numbers", find: (*release).identifiers},
		{Name: "household-ids", Title: "Household IDs of the source", Critical: true, Cite: sourceIHSN,
			Help: "The household identifier has the numbers that it has in the source.",
			Why:  "Who has a list of the households, such as an interviewer, finds them and all their members by their numbers.",
			Fix:  "random numbers, as a step or when the file is written", find: numbered(household, "household")},
		{Name: "cluster-ids", Title: "Cluster IDs of the source", Cite: sourceIHSN,
			Help: "Variables named like identifiers of schools, firms, clusters and other groups, or with names of firms, at least 30 of " +
				"them, have the values of the source.",
			Why: "Who knows the number of a group knows where its members are, or who they work for.",
			Fix: "random numbers, as a step or when the file is written", find: numbered(group, "group")},
		{Name: "named-persons", Title: "Names of persons in labels", Cite: sourceSafe,
			Help: "The name of the file, a variable, or the label of a variable or category has an e-mail address, a telephone number, or the name of " +
				"a person: a form of address with a name, or a common first name before another name.",
			Why: "Labels are released with the data.", Fix: "leave the variables out; another name for the file",
			find: (*release).persons},
		{Name: "file-notes", Title: "Notes that identify", Critical: true, Whole: true, Cite: sourceSafe,
			Help: "Notes, documents, or the label of the data set have an e-mail address, a telephone or account number, a form of address with a " +
				"name, or the name of an identifier of the file with a number behind it. A first name before another name, and a street address, are a " +
				"warning. Protected files have notes only with the option that keeps them.",
			Why: "Notes are released with the data.", Fix: "leave the notes out", find: (*release).notes},
		{Name: "dates", Title: "Dates to the day", Cite: sourceIHSN,
			Help: "Variables with more than ten dates to the day: as text, also with the month in words, as numbers such as 20240131, or as " +
				"days of a spreadsheet; and day, month and year in three neighbouring variables.",
			Why: "A date of birth, or of an event, singles out nearly everybody together with sex and place.",
			Fix: "leave the variables out", find: finding(date, "has dates to the day", "have dates to the day")},
		{Name: "precise-places", Title: "Precise places", Cite: sourceIHSN,
			Help: "Variables named like postal codes, codes of municipalities or coordinates, with more than ten values of four digits or " +
				"three decimals; plus codes; coordinates in one variable or in two that stand together.",
			Why:  "A postal code or a coordinate leaves few persons to choose from.",
			Fix:  "leave the variables out",
			find: finding(spot, "looks like a precise place", "look like precise places")},
		{Name: "free-text", Title: "Free text", Cite: sourceIHSN,
			Help: "Variables of texts of several words, most of which few records share.",
			Why:  "What people say in their own words can name them, and can be recognised.",
			Fix:  "leave the variables out", find: finding(freeText, "is free text", "are free text")},
		{Name: "record-order", Title: "Order of the source", Cite: sourceHundep,
			Help: "The records are in the order of the source, or in that of identifiers; or they are sorted by an amount or a sensitive " +
				"variable, or by a key variable of which cells are missing between others. Households or regions that stand together are no finding.",
			Why: "The place of a record reveals where and when it was collected, and who stands next to it; in sorted records, the rank of a value and a missing cell between equal ones.",
			Fix: "random order, as a step or when the file is written", find: (*release).order},
	}
}

// list names some variables, of many the first.
func list(names []string) string {
	const most = 8
	return strings.Join(wording.FirstFew(names, most), ", ")
}

// leaving is the fix that leaves variables out.
func leaving(names ...string) Fix {
	return Fix{Title: "leave " + list(names) + " out", Remove: names}
}

// promised are the checks for records that others could single out, and for promises.
func promised() []Spec {
	return []Spec{
		{Name: "k-anonymity", Title: "k-anonymity that does not hold", Critical: true, Whole: true, Cite: measure.SourceSwee + "; " + inference.Spec().Cite,
			Help: "A step made the file k-anonymous, and now records violate k under the rule of the step: because later steps changed the key " +
				"variables, or because members of the household, or variables that determine them, reveal suppressed cells (see the measure inference; " +
				"it needs the original, record by record). It is a warning if only masked variables, or variables that determine " +
				"some of the cells, reveal them. A suppression with a budget, or for combinations of key variables, guarantees no k.",
			Why:    "The file is called k-anonymous, and an intruder finds records that are not.",
			Fix:    "local suppression for the same k; suppression in whole households; leave out what reveals suppressed cells, or the variables that have them",
			search: (*release).guarantees},
		{Name: "l-diversity", Title: "l-diversity that is not reached", Critical: true, Cite: "Machanavajjhala and others 2007",
			Help: "The measure l-diversity was asked for, and keys have fewer different values of a sensitive variable than it says.",
			Why:  "Who knows that a person is in a key learns the sensitive value without knowing the record.",
			Fix:  "leave the sensitive variables out", search: (*release).diverse},
		{Name: "violators", Title: "Violators of k-anonymity", Critical: true, Whole: true, Cite: measure.SourceSwee + "; " + sourceGuide,
			Help: "Fewer than k records share a key pattern. k is the smallest of the scenario, but not below 3 if the scenario has a larger one. " +
				"Violators under the rule of the scenario are critical, violators under the conservative rule alone are a warning.",
			Why: "The fewer records share a key pattern, the more certainly an intruder identifies a person by it.",
			Fix: "local suppression", search: (*release).violators},
		{Name: "inference", Title: "Protected values that other variables reveal", Cite: inference.Spec().Cite,
			Help: "Other variables, pairs of them or members of the household tell blanked cells of a key variable, or at least half of its " +
				"categories before a recode, surer than a guess; sums tell masked numbers, and variables their order: see the measure inference. A multiple of masked numbers, a copy of them in texts, " +
				"or the product or ratio of two variables gives them within 0.1 % in 95 % of the records. It needs the original, " +
				"record by record: in the same order, or with the script.",
			Why: "What was taken away can be put back.",
			Fix: "leave out the variables that tell", records: true, search: (*release).reconstructed},
		{Name: "risk", Title: "Records above the risk threshold", Critical: true, Whole: true, Cite: measure.SourceRiskAll + "; " + sourceGuide,
			Help: "The global risk is above its target in the scenario. It needs a weight variable: without one, the records would be the " +
				"whole population.",
			Why: "More re-identifications are expected than the target allows.",
			Fix: "suppression above the threshold; k-anonymity with a higher k", search: (*release).risky},
		{Name: "unique-numbers", Title: "Numbers of single records", Cite: sourceDomTor,
			Help: "Numeric variables that were not masked, in which one record in twenty has a value that no other has; of numeric key variables, any.",
			Why:  "Who has the same number from another source finds the record by it.",
			Fix:  "microaggregation", find: (*release).uniqueNumbers},
		{Name: "extreme-values", Title: "Extreme values", Cite: sourceHundep + ", section 3.4",
			Help: "Values above the 99th percentile, and negative values below the 1st, that fewer than three records share, of numeric variables that were " +
				"not masked; and a count with few different values whose largest value fewer than three records have and is at least twice the next one.",
			Why: "The largest values belong to those whom everybody knows.",
			Fix: "top coding or bottom coding at that percentile; microaggregation", find: (*release).extremes},
		{Name: "weights", Title: "Weights that reveal", Cite: sourceHundep + "; " + sourceTempl,
			Help: "Weights that fewer than three records share; and weights of many records that tell a category of a variable that is left " +
				"out, or of a stratum that was changed, of at least half of the records beyond chance.",
			Why: "Weights follow from the strata of the sample: who knows the design reads the stratum from the weight, and a weight of its own " +
				"marks a record.",
			Fix: "microaggregation of the weights; leave them out", records: true, find: (*release).weights},
	}
}

// overlooked are the checks for variables that protection passed over or hardly changed.
func overlooked() []Spec {
	return []Spec{
		{Name: "unassigned-keys", Title: "Key variables without a role", Cite: sourceGuide,
			Help: "The program suggests these variables as key variables, and they have no role in the scenario.",
			Why:  "No figure of risk counts what they reveal.",
			Fix:  "make them key variables; leave them out", find: (*release).unassigned},
		{Name: "look-alikes", Title: "Categories that look alike", Cite: sourceGuide,
			Help: "Categories of a key, strata, sensitive or PRAM variable differ only in capitals, spaces or how accents are composed, " +
				"among at most 1,000.",
			Why: "One category counts as two: frequencies, risks and l-diversity are wrong, and a rare spelling shows who entered the record.",
			Fix: "group them", find: (*release).alike},
		{Name: "replicate-weights", Title: "Replicate weights", Cite: sourceHundep + "; " + sourceTempl,
			Help: "At least ten numeric variables are named like replicate weights: one stem, such as repwt or brr, with different numbers. Or, whatever " +
				"their names, at least ten are 0 or a few multiples of the weight variable, also if calibration moved them a little.",
			Why: "Records whose replicate weights vary together are of the same primary sampling unit: the weights reveal the clusters of the sample.",
			Fix: "leave them out", find: (*release).replicates},
	}
}

// describing are the checks for what masking left as it was.
func describing() []Spec {
	return []Spec{
		{Name: "kept-values", Title: "Values that masking left", Cite: sourceHundep,
			Help: "Cells that a masking step passed over, since their record has a missing value in another variable of the step, or a " +
				"condition or a stratum of one category kept them.",
			Why: "These are the true values, and the records that have them can be told by what they miss.",
			Fix: "microaggregation of the variable by itself", find: (*release).keptValues},
		{Name: "unchanged", Title: "Variables that masking hardly changed", Cite: sourceHundep,
			Help: "Steps masked a variable, and all its values are those of the source, or more than half of the values that fewer than three " +
				"records share lie within 1 % of the original ones.",
			Why: "An intruder who knows an original value finds the record by the nearest masked one.",
			Fix: "noise; leave the variables out", find: (*release).unchanged},
		{Name: "decimals", Title: "Decimals that tell masked cells", Cite: sourceHundep,
			Help: "Masked cells have more decimals than any cell of the source, and others of the variable are as they were.",
			Why:  "Everybody sees which values are the true ones.",
			Fix:  "rounding to the decimals of the source", find: (*release).decimals},
		{Name: "former-values", Title: "Strata that tell former values", Cite: sourceHundep,
			Help: "A variable that a step made of others has their categories as they were before later steps hid them.",
			Why:  "Who reads it reads what was recoded or suppressed.",
			Fix:  "leave the variable out", find: (*release).former},
		{Name: "typed-seeds", Title: "Seeds that can be guessed", Critical: true, Whole: true, Cite: sourceHundep,
			Help: "A step that draws random numbers has a seed below 2^32, which somebody typed. Seeds that the program draws have 64 bits.",
			Why:  "An intruder who tries all seeds undoes the perturbation.",
			Fix:  "a new seed, which the program draws; in a script, leave the seed out", find: (*release).seeds},
		{Name: "replay", Title: "Other data than the steps give", Critical: true, Whole: true, Cite: sourceHundep,
			Help: "The steps of the script, repeated on the original, give other values of some variables, or other variables.",
			Why:  "Guarantees and reports are about the data that the script gives, not about this file.",
			Fix:  "none: write the file again", find: (*release).replay},
	}
}
