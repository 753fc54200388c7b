package recode

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/method"
	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/muargus"
	"github.com/sdcdesk/sdcdesk/engine/wording"
)

// ArgusText returns the recode file of mu-Argus (.grc) that makes of the source
// values of a column what all recodes so far have made of them. Codes of whole
// numbers that are neighbours are written as ranges; those of intervals have the
// ends of the interval, the first and the last none, so that they hold for other
// files too. Codes that stay what they are have no line. Values that became
// missing get the first missing code of the variable; where it has none, or
// where missing values joined a category, it is an error that wraps
// method.ErrInput, as it is where nothing was recoded or the values were changed
// record by record. It takes O(n) time.
func ArgusText(column *microdata.Column) (string, error) {
	c, err := composedOf(column)
	if err != nil {
		return "", err
	}
	if c.now[0] != 0 && c.now[0] != absent {
		return "", fmt.Errorf("%w: missing values of %q joined a category, which a recode file of mu-Argus cannot say", method.ErrInput, column.Name())
	}
	file := &muargus.Recode{}
	var missing []string
	if said := column.Source().Description(); said != nil {
		missing = said.Missing
	}
	for code, level := range c.levels {
		parts := labelsOf(c.parts(uint32(code + 1)))
		if len(parts) == 0 || len(parts) == 1 && parts[0] == level.Label {
			continue
		}
		file.Rules = append(file.Rules, c.argusRule(uint32(code+1), level.Label, parts, missing))
	}
	if gone := labelsOf(c.parts(0)); len(gone) > 0 {
		said := column.Description()
		if said == nil || len(said.Missing) == 0 {
			return "", fmt.Errorf("%w: %s of %q become missing and the variable has no missing code to send them to",
				method.ErrInput, wording.Counted(len(gone), "code"), column.Name())
		}
		file.Rules = append(file.Rules, c.argusRule(0, said.Missing[0], gone, missing))
	}
	if len(file.Rules) == 0 {
		return "", fmt.Errorf("%w: %q was not recoded", method.ErrInput, column.Name())
	}
	text := file.Text()
	if unwritable(file) {
		return "", fmt.Errorf("%w: a category of %q has a quote or a line break in its name, which a recode file of mu-Argus cannot say; rename it",
			method.ErrInput, column.Name())
	}
	return text, nil
}

// argusRule sends the codes that have become a level, the sources, to its code:
// whole numbers that are neighbours by a range.
func (c *composed) argusRule(level uint32, code string, sources, missing []string) muargus.Rule {
	rule := muargus.Rule{New: strings.TrimSpace(code)}
	if ranges, ok := c.rangesOf(level, missing); ok {
		rule.Sources = ranges
		return rule
	}
	for _, source := range sources {
		source = strings.TrimSpace(source)
		rule.Sources = append(rule.Sources, muargus.Source{Low: source, High: source, HasLow: true, HasHigh: true})
	}
	return rule
}

// unwritable reports whether a code of the file cannot be read back.
func unwritable(file *muargus.Recode) bool {
	bad := func(code string) bool { return code == "" || strings.ContainsAny(code, "\"\r\n") }
	return slices.ContainsFunc(file.Rules, func(rule muargus.Rule) bool {
		return bad(rule.New) || slices.ContainsFunc(rule.Sources, func(s muargus.Source) bool { return bad(s.Low) && s.HasLow || bad(s.High) && s.HasHigh })
	})
}
