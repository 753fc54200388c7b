package microdata

import (
	"slices"
	"strings"
	"unicode"
)

// lexicon is a set of words that names of variables are made of.
type lexicon struct {
	words  []string // whole words
	stems  []string // beginnings of words
	except []string // words that make the name mean something else
}

// match reports whether one of the words of a name is in the lexicon.
func (l lexicon) match(words []string) bool {
	found := false
	for _, word := range words {
		if slices.Contains(l.except, word) {
			return false
		}
		found = found || slices.Contains(l.words, word) ||
			slices.ContainsFunc(l.stems, func(stem string) bool { return strings.HasPrefix(word, stem) })
	}
	return found
}

// wordsOf splits a name at marks, digits and capitals: "HH_id2" gives hh, id;
// "firstName" gives first, name.
func wordsOf(name string) []string {
	var words []string
	start, before := true, ' '
	for _, r := range name {
		if !unicode.IsLetter(r) {
			start, before = true, ' '
			continue
		}
		if start || unicode.IsUpper(r) && unicode.IsLower(before) {
			words = append(words, "")
			start = false
		}
		words[len(words)-1] += string(unicode.ToLower(r))
		before = r
	}
	return words
}

// nameRule gives a role to names of a lexicon where the contents fit.
type nameRule struct {
	role   Role
	names  lexicon
	fits   func(*profile) bool
	reason string
}

func weightNames() lexicon {
	return lexicon{
		words:  []string{"w", "wt", "wgt", "wght", "weight", "weights", "fexp", "peso"},
		stems:  []string{"pond", "gewicht", "hochrech"},
		except: []string{"body", "birth", "kg", "kilo", "child", "baby"},
	}
}

func householdNames() lexicon {
	return lexicon{
		words:  []string{"hid", "hhid", "hh", "hhno", "hhnr", "hhnum", "idhh", "idhog", "hogar"},
		stems:  []string{"househ", "menage", "haushalt"},
		except: []string{"size", "type", "head", "weight", "weights", "income", "expend", "expenditure"},
	}
}

// nameRules lists what names tell, surest first.
func nameRules() []nameRule {
	anything := func(*profile) bool { return true }
	grouped := func(p *profile) bool {
		return p.distinct <= mostCategories && (p.present < 100 || 2*p.distinct <= p.present)
	}
	rules := []nameRule{
		{RoleRemoved, lexicon{
			words: []string{"firstname", "lastname", "fullname", "surname", "forename", "phone", "tel", "mobile", "fax", "email",
				"mail", "address", "street", "ssn", "passport", "iban", "gps", "latitude", "longitude", "lat", "lon", "lng"},
			stems: []string{"telephon"}}, anything, "named like a direct identifier"},
		{RoleRemoved, lexicon{words: []string{"name", "nom", "nombre"}},
			func(p *profile) bool { return p.kind == Category && 2*p.distinct > p.present }, "named like a name; few records share a text"},
		{RoleRemoved, lexicon{words: []string{"pid", "personid", "persid", "pernum", "persno", "indid", "idind", "lineno", "memid"}},
			func(p *profile) bool { return p.kind != Number }, "named like a person number"},
		{RoleSensitive, lexicon{words: []string{"ill", "hiv", "aids"},
			stems: []string{"health", "illness", "disease", "disab", "diagnos", "handicap", "chronic", "addict"}},
			grouped, "named like a state of health"},
	}
	for _, key := range []struct {
		names  lexicon
		reason string
	}{
		{lexicon{words: []string{"sex", "sexe", "sexo", "gender", "geschlecht"}}, "sex is visible to everybody"},
		{lexicon{words: []string{"age", "ages", "agegroup", "agegrp", "ageyrs", "edad", "alter", "yob", "birthyear"}}, "age is known to acquaintances"},
		{lexicon{words: []string{"state", "county", "bundesland"}, stems: []string{"region", "provin", "distri", "municip", "canton"}}, "region is known to acquaintances"},
		{lexicon{words: []string{"urbrur", "rururb"}, stems: []string{"urban", "rural", "residen"}}, "residence is known to acquaintances"},
		{lexicon{words: []string{"civil", "hhcivil", "mstat"}, stems: []string{"marit", "marstat"}}, "marital status is known to acquaintances"},
		{lexicon{stems: []string{"educ", "school", "bildung"}}, "education is known to acquaintances"},
		{lexicon{words: []string{"race"}, stems: []string{"ethni", "national", "citizen"}}, "ethnic group or nationality is known to acquaintances"},
		{lexicon{stems: []string{"relig"}}, "religion is known to acquaintances"},
		{lexicon{words: []string{"job", "isco", "lstat", "empstat"}, stems: []string{"occup", "profess", "employ", "labour", "labor"},
			except: []string{"cost", "costs", "income"}}, "occupation is known to acquaintances"},
	} {
		rules = append(rules, nameRule{RoleKey, key.names, grouped, key.reason})
	}
	money := lexicon{words: []string{"pay", "rent", "assets", "turnover", "revenue", "sales"},
		stems: []string{"incom", "expend", "salar", "wage", "earning", "saving", "consum", "einkommen", "ingres", "revenu"}}
	return append(rules, nameRule{RoleNumericKey, money,
		func(p *profile) bool { return p.kind != Category && p.distinct > fewValues }, "an amount that other files may hold too"})
}

// A key variable has at most this many categories among the records looked at;
// an amount has more than a few values.
const (
	mostCategories = 1000
	fewValues      = 10
)
