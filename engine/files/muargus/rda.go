package muargus

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
)

// ParseDescription parses a description (.rda or .rds). Unknown keywords are ignored, as in mu-Argus. Errors wrap
// ErrDescription; the result has passed Check.
func ParseDescription(text string) (*Description, error) {
	d, lines, variables := &Description{}, textLines(text), 0
	for _, l := range lines {
		if !strings.HasPrefix(l.text, "<") {
			variables++
		}
	}
	if variables > MaxVariables {
		return nil, unusable("", "it has more than %s variables", wording.Number(MaxVariables))
	}
	for _, l := range lines {
		var err error
		switch keyword := l.keyword(); {
		case keyword == "":
			err = d.addVariable(&l)
		case len(d.Variables) == 0:
			err = d.readHeader(keyword, &l)
		default:
			err = d.Variables[len(d.Variables)-1].readKeyword(keyword, &l)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := d.Check(); err != nil {
		return nil, err
	}
	return d, nil
}

// readHeader parses a line before the first variable.
func (d *Description) readHeader(keyword string, l *line) error {
	switch keyword {
	case "<SEPARATOR>":
		if d.Separator = l.first(); len(d.Separator) != 1 || d.Separator == " " {
			return problem(ErrDescription, l.number, 0, `<SEPARATOR> needs one character other than a space, such as ","`)
		}
	case "<NAMESINFRONT>":
		d.Names = true
	case "<SPSS>":
		d.SPSS = true
	}
	return nil
}

// addVariable parses the first line of a variable: its name, its position if fields are fixed, its width and its
// missing codes.
func (d *Description) addVariable(l *line) error {
	words, _ := l.tokens(false)
	v := Variable{Name: words[0].text}
	rest := words[1:]
	numbers := []*int{&v.Start, &v.Width}
	if d.Separator != "" {
		numbers = numbers[1:]
	}
	if d.SPSS {
		numbers = numbers[:min(wholeNumbers(rest), len(numbers))] // the SPSS file contains the positions
	}
	for i, number := range numbers {
		if i >= len(rest) {
			return problem(ErrDescription, l.number, 0, "the line of a variable needs %s", d.shape())
		}
		value, err := strconv.Atoi(rest[i].text)
		if err != nil || value <= 0 {
			return problem(ErrDescription, l.number, rest[i].position,
				"an integer above 0 is expected: the line of a variable needs %s", d.shape())
		}
		*number = value
	}
	rest = rest[len(numbers):]
	if len(rest) > MaxMissing {
		return problem(ErrDescription, l.number, rest[MaxMissing].position,
			"at most %d missing-value codes are allowed; the line of a variable needs %s", MaxMissing, d.shape())
	}
	v.Missing = missingCodes(rest)
	d.Variables = append(d.Variables, v)
	return nil
}

// wholeNumbers returns the number of leading words that are integers.
func wholeNumbers(words []token) int {
	for i, word := range words {
		if _, err := strconv.Atoi(word.text); err != nil {
			return i
		}
	}
	return len(words)
}

// shape describes the expected form of the line of a variable.
func (d *Description) shape() string {
	if d.Separator != "" {
		return "name, width, and up to two missing-value codes"
	}
	return "name, position, width, and up to two missing-value codes"
}

// flag is a keyword without a value.
type flag struct {
	keyword string
	set     *bool
}

// flags returns the flags of a variable in the order of output.
func (v *Variable) flags() []flag {
	return []flag{{"RECODABLE", &v.Recodable}, {"TRUNCABLE", &v.Truncable}, {"NUMERIC", &v.Numeric}, {"WEIGHT", &v.Weight},
		{"HOUSE_ID", &v.HouseholdID}, {"HOUSEHOLD", &v.Household}}
}

// readKeyword parses a line with a keyword of a variable.
func (v *Variable) readKeyword(keyword string, l *line) error {
	for _, flag := range v.flags() {
		if keyword == "<"+flag.keyword+">" {
			*flag.set = true
		}
	}
	switch keyword {
	case "<RECODEABLE>":
		v.Recodable = true
	case "<CODELIST>":
		return l.name(keyword, &v.CodeList)
	case "<RELATED>":
		var name string
		err := l.name(keyword, &name)
		v.Related = append(v.Related, name)
		return err
	case "<IDLEVEL>":
		return l.wholeNumber(keyword, &v.IDLevel)
	case "<DECIMALS>":
		return l.wholeNumber(keyword, &v.Decimals)
	case "<SUPPRESSPRIORITY>", "<SUPPRESSWEIGHT>":
		v.Priority = new(int)
		return l.wholeNumber(keyword, v.Priority)
	}
	return nil
}

// name parses the single word of a line.
func (l *line) name(keyword string, into *string) error {
	if *into = l.first(); *into == "" {
		return problem(ErrDescription, l.number, 0, "%s needs a name", keyword)
	}
	return nil
}

// wholeNumber parses the single integer, at least 0, of a line.
func (l *line) wholeNumber(keyword string, into *int) error {
	value, err := strconv.Atoi(l.first())
	if *into = value; err != nil || value < 0 {
		return problem(ErrDescription, l.number, 0, "%s needs an integer", keyword)
	}
	return nil
}

// Text formats the description as a file. ParseDescription reads it back unchanged, except for the alignment in
// fixed fields.
func (d *Description) Text() string {
	var text strings.Builder
	add := func(format string, args ...any) { text.WriteString(fmt.Sprintf(format, args...) + lineEnd) }
	if d.Separator != "" {
		add(`<SEPARATOR> "%s"`, d.Separator)
	}
	if d.Names {
		add("<NAMESINFRONT>")
	}
	if d.SPSS {
		add("<SPSS>")
	}
	for i := range d.Variables {
		d.Variables[i].write(add, d.Separator != "")
	}
	return text.String()
}

func (v *Variable) write(add func(format string, args ...any), free bool) {
	name := spellWord(v.Name)
	if strings.HasPrefix(name, "//") {
		name = `"` + name + `"`
	}
	head := fmt.Sprintf("%s %d", name, v.Start)
	if free {
		head = name
	}
	head += fmt.Sprintf(" %d", v.Width)
	for _, code := range v.Missing {
		if !strings.Contains(code, `"`) {
			code = `"` + code + `"`
		}
		head += " " + code
	}
	add("%s", head)
	for _, flag := range v.flags() {
		if *flag.set {
			add("    <%s>", flag.keyword)
		}
	}
	if v.Decimals > 0 {
		add("    <DECIMALS> %d", v.Decimals)
	}
	if v.CodeList != "" {
		add(`    <CODELIST> "%s"`, v.CodeList)
	}
	if v.IDLevel > 0 {
		add("    <IDLEVEL> %d", v.IDLevel)
	}
	if v.Priority != nil {
		add("    <SUPPRESSPRIORITY> %d", *v.Priority)
	}
	for _, related := range v.Related {
		add("    <RELATED> %s", spellWord(related))
	}
}
