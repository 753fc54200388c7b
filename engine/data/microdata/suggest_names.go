package microdata

import "github.com/sdcdesk/sdcdesk/engine/data/identify"

const (
	anyName        identify.Lexicon = ""
	weightNames    identify.Lexicon = "w wt wgt wght weight weights fexp peso pond* gewicht* hochrech* -body -birth -kg -kilo -child -baby"
	householdNames identify.Lexicon = "hid hhid hh hhno hhnr hhnum idhh idhog hogar househ* menage* haushalt* " +
		"-size -type -head -weight -weights -income -expend -expenditure"
)

// sign tells the role of variables with names of a identify.Lexicon whose contents fit.
type sign struct {
	role   Role
	names  identify.Lexicon
	fits   func(*profile) bool
	reason string
}

// nameSigns lists what names tell, surest first.
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
		{RoleRemoved, "pid personid persid pernum persno indid idind lineno memid", noDecimals, "named like a person number"},
		{RoleSensitive, "ill hiv aids health* illness* disease* disab* diagnos* handicap* chronic* addict*", grouped,
			"named like a state of health"},
		{RoleKey, "sex sexe sexo gender geschlecht", grouped, "sex is visible to everybody"},
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

// groupSigns lists what tells the weight and the household identifier: names first,
// then contents alone.
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

// guessedHousehold is the reason of a household identifier that is not named like one.
const guessedHousehold = "integers in ascending order, shared by neighbouring records"

// guessedFreeText is the reason of a variable that is to be left out for its many texts.
const guessedFreeText = "most records have a unique text"

// fewestWeights is the number of records from which numbers are taken for weights by what
// they are alone.
const fewestWeights = 10

// contentSigns lists what contents tell of variables whose names tell nothing.
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

// A key variable has at most this many categories among the records looked at;
// an amount has more than a few values.
const (
	mostCategories = 1000
	fewValues      = 10

	identifierDigits = 7 // of numbers that identify: those of amounts mostly have fewer, or differ in it
)
