package microdata

import "github.com/sdcdesk/sdcdesk/engine/data/identify"

const (
	anyName        identify.Lexicon = ""
	weightNames    identify.Lexicon = "w wt wgt wght weight weights fexp peso pond* gewicht* hochrech* -body -birth -kg -kilo -child -baby"
	householdNames identify.Lexicon = "hid hhid hh hhno hhnr hhnum idhh idhog hogar househ* menage* haushalt* " +
		"-size -type -head -weight -weights -income -expend -expenditure"
)

// sign is the evidence for a role: a lexicon of names and a test of the contents.
type sign struct {
	role   Role
	names  identify.Lexicon
	fits   func(*profile) bool
	reason string
}

// nameSigns lists the signs by name, the most reliable first.
func nameSigns() []sign {
	spread := (*profile).spread
	grouped := func(p *profile) bool {
		return p.distinct > 0 && p.distinct <= mostCategories && (p.present < 100 || 2*p.distinct <= p.present)
	}
	noDecimals := func(p *profile) bool { return p.kind != Number }
	amounts := func(p *profile) bool { return p.kind != Category && p.distinct > fewValues }
	return []sign{
		{RoleRemoved, anyName, func(p *profile) bool { return p.recognised }, "most values match your identifier patterns"},
		{RoleRemoved, anyName, (*profile).identifies, "named like a direct identifier"},
		{RoleRemoved, "gps latitude longitude lat lon lng", spread, "named like a coordinate"},
		{RoleRemoved, "pid personid persid pernum persno indid idind lineno memid", noDecimals, "named like a person ID"},
		{RoleSensitive, "ill hiv aids health* illness* disease* disab* diagnos* handicap* chronic* addict*", grouped,
			"named like a health variable"},
		{RoleKey, "sex sexe sexo gender geschlecht", grouped, "sex is visible to everyone"},
		{RoleKey, "age ages agegroup agegrp ageyrs edad alter yob birthyear", grouped, "age is known to acquaintances"},
		{RoleKey, "state county country -native -birth bundesland region* provin* distri* municip* canton*", grouped,
			"region is known to acquaintances"},
		{RoleKey, "urbrur rururb urban* rural* residen*", grouped, "residence is known to acquaintances"},
		{RoleKey, "civil hhcivil mstat marit* marstat*", grouped, "marital status is known to acquaintances"},
		{RoleKey, "educ* school* bildung*", grouped, "education is known to acquaintances"},
		{RoleKey, "race ethni* native* birthplace birthcountry national* citizen*", grouped,
			"ethnic group or nationality is known to acquaintances"},
		{RoleKey, "relig*", grouped, "religion is known to acquaintances"},
		{RoleKey, "job isco lstat empstat occup* profess* employ* labour* labor* -cost -costs -income", grouped,
			"occupation is known to acquaintances"},
		{RoleNumericKey,
			"pay rent assets turnover revenue sales incom* expend* salar* wage* earning* saving* consum* einkommen* ingres* revenu*",
			amounts, "an amount that other files may also contain"},
	}
}

// groupSigns lists the signs of the weight and the household identifier: by name first, then by contents alone.
func groupSigns() (weight, household []sign) {
	weight = []sign{{RoleWeight, weightNames, func(p *profile) bool { return p.positive },
		"named like a sampling weight; its values are positive numbers"},
		{RoleWeight, anyName, func(p *profile) bool {
			return p.kind == Number && p.positive && p.present >= fewestWeights && p.least >= 1 && !weightNames.Match(p.words)
		}, "positive numbers with decimals in every record, none below 1"}}
	household = []sign{{RoleHousehold, householdNames, (*profile).identifiesGroups,
		"named like a household ID; neighbouring records share values"},
		{RoleHousehold, anyName, func(p *profile) bool { return p.kind == Whole && p.ascending && p.identifiesGroups() },
			guessedHousehold}}
	return weight, household
}

// guessedHousehold is the reason for a household identifier without a matching name.
const guessedHousehold = "integers in ascending order, shared by neighbouring records"

// guessedFreeText is the reason for removing a variable with many distinct texts.
const guessedFreeText = "most records have a unique text"

// fewestWeights is the minimum number of records for suggesting a weight without a matching name.
const fewestWeights = 10

// contentSigns lists the signs by contents, for variables without a matching name.
func contentSigns() []sign {
	return []sign{
		{RoleRemoved, anyName, func(p *profile) bool { return p.phones }, "most values look like telephone numbers"},
		{RoleRemoved, anyName, func(p *profile) bool { return p.addresses }, "most values look like e-mail addresses"},
		{RoleRemoved, anyName, func(p *profile) bool { return p.kind == Category && p.unique() && !p.dates },
			"every record has a unique text"},
		{RoleRemoved, anyName, (*profile).freeText, guessedFreeText},
		{RoleRemoved, anyName, func(p *profile) bool { return p.kind == Whole && p.unique() && p.ascending },
			"the values are record numbers"},
		{RoleRemoved, anyName, func(p *profile) bool { return p.digits >= identifierDigits && p.unique() },
			"every record has a unique integer, all with the same number of digits"},
	}
}

// Among the records examined, a key variable has at most mostCategories categories, and an amount more than
// fewValues values.
const (
	mostCategories = 1000
	fewValues      = 10

	identifierDigits = 7 // least digits of identifying integers; amounts mostly have fewer, or different numbers of digits
)
