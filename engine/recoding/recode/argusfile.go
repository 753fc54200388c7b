package recode

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/muargus"
	"github.com/sdcdesk/sdcdesk/engine/method"
)

// ArgusFile recodes a variable according to a recode file of mu-Argus (.grc). Like Intervals it starts from the
// source values, so it replaces an earlier recode; suppressed cells stay suppressed.
//
// Missing codes named in the file become the codes with which missing cells are written. A code that is mapped to
// one of them becomes missing.
type ArgusFile struct {
	Variable string
	Recode   string // text of the file
	Labels   string // text of a code list (.cdl) for the new codes, or "" for no labels
	Width    *int   // width of the field in characters; nil: as described for the variable, else the length of its longest code
}

// ArgusFileSpec describes recode-grc for the catalog.
func ArgusFileSpec() method.Spec {
	return method.Spec{
		Name:  "recode-grc",
		Title: "Recoding with a mu-Argus file",
		Help: "Applies a recode file of mu-Argus (.grc) to a variable: one line per new code, such as \"1: 1-10, 15\". " +
			"Codes that no line lists are unchanged. If two lines list a code, the later one applies. The line " +
			"<MISSING> 98 99 defines the missing codes. Codes are compared as right-aligned text, so \"01\" is not " +
			"\"1\". Ranges suit unsigned integers and text only. The recode starts from the original values and " +
			"replaces an earlier recode with a mu-Argus file.",
		Cite: "mu-ARGUS version 5.1 manual, section 4.4; Hundepool et al. (2012), Statistical " +
			"Disclosure Control, section 3.4",
		Key:     "r",
		Sample:  `{"variable":"age","recode":"1: -19\n2: 20-64\n3: 65-"}`,
		New:     method.From(ArgusFile{}),
		Propose: method.With((*ArgusFile).propose),
	}
}

// Narrate states that the variable was recoded.
func (m *ArgusFile) Narrate(*method.Report) string {
	return fmt.Sprintf("The categories of %s were recoded.", m.Variable)
}

// Params returns the parameters, bound to the fields of m.
func (m *ArgusFile) Params() []method.Param {
	return []method.Param{
		variableParam(&m.Variable),
		method.File(&m.Recode, "recode", "recode file").Needed().NamesFile(codeListOf),
		method.File(&m.Labels, "labels", "code list for the new codes").Empty("none"),
		method.Number(&m.Width, "width", "width of the field in characters").AtLeast(1).Empty("from the file description, otherwise the longest code"),
	}
}

// codeListOf returns the code list file named in the text of a recode file, and the parameter for it.
func codeListOf(text string) (param, file string) {
	if recode, err := muargus.ParseRecode(text); err == nil {
		return "labels", recode.CodeList
	}
	return "", ""
}

// Regroup returns the mapping of the source codes to the new ones. Warnings list the codes that the file omits,
// names twice, or names although they do not occur.
func (m *ArgusFile) Regroup(in method.Input, target *microdata.Column) (method.Regrouping, error) {
	file, result, err := m.recoded(target)
	if err != nil {
		return method.Regrouping{}, err
	}
	r := into(target, target.Unrecoded(), levelsCalled(result.Codes), func(place int) uint32 { return uint32(result.Of[place] + 1) })
	r.Title = fmt.Sprintf("recode %s with a mu-Argus file: %s", m.Variable, wording.Counted(len(result.Codes), "code"))
	r.Lost, r.Warnings = "get a missing code", result.Warnings
	r.Description = m.described(&r, file, result)
	if file.CodeList != "" && m.Labels == "" {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the recode file names the code list %q, which was not given: the new codes have no labels", file.CodeList))
	}
	return r, nil
}

// recoded parses the file and applies it to the source codes.
func (m *ArgusFile) recoded(target *microdata.Column) (*muargus.Recode, *muargus.Recoded, error) {
	file, err := muargus.ParseRecode(m.Recode)
	if err != nil {
		return nil, nil, method.ParamError("\"recode\": %w", err)
	}
	for _, rule := range file.Rules {
		if err := checkLabel("recode", rule.New); err != nil {
			return nil, nil, err
		}
	}
	if err := m.checkRanges(file, target.Unrecoded()); err != nil {
		return nil, nil, err
	}
	from := target.Unrecoded()
	said := from.Described()
	coded := muargus.CodeSource{Width: said.Width}
	for _, level := range from.Categories().Levels {
		coded.Codes = append(coded.Codes, level.Label)
	}
	for _, code := range said.Missing {
		if _, value := from.Categories().CodeOf(code); !value { // a code that was read as a category is not a missing value here
			coded.Missing = append(coded.Missing, code)
		}
	}
	if m.Width != nil {
		coded.Width = *m.Width
	}
	result, err := file.Apply(coded)
	if err != nil {
		return nil, nil, method.ParamError("\"recode\" for %q: %w", m.Variable, err)
	}
	return file, result, nil
}

// checkRanges reports ranges in a file for values with decimals or signs. Such numbers sort differently as text,
// so records would get codes of the wrong ranges.
func (m *ArgusFile) checkRanges(file *muargus.Recode, from *microdata.Column) error {
	ranges := slices.ContainsFunc(file.Rules, func(rule muargus.Rule) bool {
		return slices.ContainsFunc(rule.Sources, func(s muargus.Source) bool { return s.Range })
	})
	if !ranges {
		return nil
	}
	for _, level := range from.Categories().Levels {
		digits := strings.Trim(level.Label, "0123456789") == ""
		if digits || !from.Numeric() && !signed(level.Label) {
			continue
		}
		return fmt.Errorf("recode-grc %w: %q has numbers with decimals or signs, which a recode file compares as text and would put "+
			"into wrong ranges; recode it by intervals, or list every code",
			method.ErrInput, m.Variable)
	}
	return nil
}

// described returns the description of the new codes. Codes that stay, and parts, keep their labels unless labels
// are given; width and missing codes are those of the file. Formats of the old codes are dropped.
func (m *ArgusFile) described(r *method.Regrouping, file *muargus.Recode,
	result *muargus.Recoded) *microdata.Description {
	labels := map[string]string{}
	for _, rule := range file.Rules {
		if _, has := r.From.Categories().CodeOf(rule.New); !has && !levelOf(rule.New).NumberLevel() {
			labels[rule.New] = "" // a word needs no label
		}
	}
	maps.Copy(labels, muargus.ParseCodeList(m.Labels))
	said := described(r, labels, standing(file, r.From))
	said.Width, said.Format, said.Stored = result.Width, "", ""
	if len(file.Missing) > 0 {
		said.Missing = result.Missing
	}
	return said
}

// standing maps each name that the file gives to a single code to that code. Numbers are codes rather than names,
// and so are names that exist in the source.
func standing(file *muargus.Recode, from *microdata.Column) map[string]string {
	codes, other, called := map[string]string{}, map[string]bool{}, from.Described().CodeOf
	for _, rule := range file.Rules {
		name := rule.New
		if _, has := from.Categories().CodeOf(name); has || levelOf(name).NumberLevel() {
			other[name] = true
		}
		for _, s := range rule.Sources {
			_, again := codes[name]
			other[name] = other[name] || again || s.Range
			codes[name] = cmp.Or(called[s.Low], s.Low)
		}
	}
	maps.DeleteFunc(codes, func(name, _ string) bool { return other[name] })
	return codes
}
