package stata

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// plan specifies how a file will be written, and what changes.
type plan struct {
	layout
	file    *statfile.File
	charset *statfile.Charset
	columns []variablePlan
	label   string
	notes   []string
	tables  []table
	lost    statfile.Losses

	width int // bytes of a record
}

// variablePlan is a variable as it will be written.
type variablePlan struct {
	*statfile.Variable
	storage
	name, label, format, labels string
	number                      func(float64) float64 // conversion to Stata's units; nil if none
	texts                       []string              // encoded texts by code; code 0 is empty
	first                       []int64               // for strL, by code: first record, from 1, with the text
}

// table is a value label table.
type table struct {
	name   string
	values []int32
	labels []string
}

// The formats for writing.
const (
	plainWritten  = 114
	taggedWritten = 118
	maxVariables  = 32767  // of formats below 119
	maxName       = 32     // characters
	maxLabel      = 80     // characters of a variable or dataset label
	maxValueLabel = 32000  // bytes
	longTextName  = "strL" // Stata's name for the storage of long texts
)

// versionOf returns the format for writing: a file read in a format below 117 is written in such a format again.
func versionOf(f *statfile.File, settings statfile.Settings) int {
	version, err := strconv.Atoi(settings[versionSetting])
	switch {
	case err == nil && version >= oldest && version <= newestPlain:
		return plainWritten
	case len(f.Variables) > maxVariables:
		return newest
	default:
		return taggedWritten
	}
}

// newPlan returns the plan for a file, after a pass over all cells.
func newPlan(f *statfile.File, settings statfile.Settings) *plan {
	p := &plan{layout: layoutOf(versionOf(f, settings), binary.LittleEndian), file: f}
	p.charset, _ = statfile.NewCharset("")
	if !p.tagged() {
		p.charset, _ = statfile.NewCharset("windows-1252")
		if own, ok := statfile.NewCharset(f.Encoding); ok && !own.UTF8() {
			p.charset = own
		}
	}
	seen := make([]valueProperties, len(f.Variables))
	// It cannot fail, and the context is never cancelled.
	_ = parallel.Each(context.Background(), len(seen), func(i int) error {
		if v := &f.Variables[i]; v.Kind == statfile.Text {
			seen[i] = p.lookAtTexts(v.Column.Texts)
		} else {
			seen[i] = look(v.Column.Numbers, counted(v.Kind))
		}
		return nil
	})
	p.plan(seen)
	return p
}

// plan plans the file from the properties of its variables.
func (p *plan) plan(seen []valueProperties) {
	f := p.file
	p.label = p.cut(f.Label, maxLabel, "the file")
	for _, note := range f.Notes {
		p.notes = append(p.notes, p.encoded(note, "the file"))
	}
	p.lost.NoWeight(f)
	names := p.names()
	known := map[string]string{} // table names by content
	for i := range f.Variables {
		v := &f.Variables[i]
		w := variablePlan{Variable: v, number: counted(v.Kind), name: names[i], label: p.cut(v.LabelAs(names[i]), maxLabel, v.Name)}
		if v.Kind == statfile.Text {
			p.planTexts(&w, &seen[i])
		} else {
			p.planNumbers(&w, &seen[i])
		}
		if w.format = shownAs(v, w.storage); w.format != v.Format {
			p.lost.NoFormat(v.Name, v.Format)
		}
		w.labels = p.planLabels(&w, known)
		p.lost.NoDeclarations(v)
		p.lost.NoTruths(v)
		if v.Kind == statfile.Time {
			p.lost.Add("times of day become numbers of seconds", v.Name)
		}
		p.columns, p.width = append(p.columns, w), p.width+w.width
	}
}

// cut returns a text cut to at most most characters, in the encoding of the file.
func (p *plan) cut(text string, most int, name string) string {
	whole := text
	text, _, _ = strings.Cut(text, "\x00")
	if text = statfile.Characters(text, most); text != whole {
		p.lost.Add("labels that are too long are truncated", name)
	}
	return p.encoded(text, name)
}

func (p *plan) encoded(text, name string) string {
	bytes, whole := p.charset.Encode(text)
	if !whole {
		p.loseCharacters(name)
	}
	return bytes
}

func (p *plan) loseCharacters(name string) {
	p.lost.Add("characters that "+p.charset.Name()+" cannot encode become question marks", name)
}

// planNumbers chooses the storage type of numbers: the original one if it holds them all, else the smallest that
// does.
func (p *plan) planNumbers(w *variablePlan, seen *valueProperties) {
	if seen.beyond {
		p.lost.Add("numbers outside the range of Stata become missing", w.Name)
	}
	if seen.underscore {
		p.lost.Add("missing values ._ become .", w.Name)
	}
	for kind := byteStorage; kind <= doubleStorage; kind++ {
		if own := numeric(kind); own.String() == w.Storage && seen.fits(kind) {
			w.storage = own
			return
		}
	}
	for _, kind := range []storageKind{byteStorage, intStorage, longStorage, doubleStorage} {
		if seen.fits(kind) {
			w.storage = numeric(kind)
			return
		}
	}
}

// counted returns the conversion of a kind to Stata's dates or times, or nil.
func counted(kind statfile.Kind) func(float64) float64 {
	switch kind {
	case statfile.Date:
		return func(days float64) float64 { return days + epochDays }
	case statfile.DateTime:
		return milliseconds
	}
	return nil
}

// milliseconds converts seconds since 1970 to milliseconds since 1960, rounded to integers if that restores the
// same seconds.
func milliseconds(seconds float64) float64 {
	exact := float64(seconds*1000) + epochDays*86400*1000
	if whole := math.Round(exact); (whole-epochDays*86400*1000)/1000 == seconds {
		return whole
	}
	return exact
}

// valueProperties holds properties of the numbers of a variable, in Stata's units, or of its texts.
type valueProperties struct {
	least, most        float64
	whole, single      bool // all are integers; all fit a float
	beyond, underscore bool // some exceed a double of Stata; some are ._

	first     []int64 // for texts, by code: first record, from 1, with the text; 0 if none
	longest   int     // bytes of the longest text
	zero      bool    // some text contains a zero byte
	unencoded bool    // some text cannot be encoded
}

// lookAtTexts returns the properties of the texts that occur in records.
func (p *plan) lookAtTexts(texts *statfile.Texts) valueProperties {
	s := valueProperties{first: make([]int64, len(texts.Values)+1), longest: 1}
	for row := range texts.Codes.Len() {
		if code := texts.Codes.At(row); s.first[code] == 0 {
			s.first[code] = int64(row) + 1
		}
	}
	for code, text := range texts.Values {
		if s.first[code+1] != 0 {
			encoded, whole := p.charset.Encode(text)
			s.longest, s.unencoded = max(s.longest, len(encoded)), s.unencoded || !whole
			s.zero = s.zero || strings.IndexByte(encoded, 0) >= 0
		}
	}
	return s
}

// look returns the properties of numbers.
func look(numbers []float64, counted func(float64) float64) valueProperties {
	s := valueProperties{least: math.Inf(1), most: math.Inf(-1), whole: true, single: true}
	for _, x := range numbers {
		if letter, missing := statfile.Tag(x); missing {
			s.underscore = s.underscore || letter == '_'
			continue
		}
		if counted != nil {
			x = counted(x)
		}
		if math.Abs(x) >= math.Float64frombits(missingDoubleBits) {
			s.beyond = true
			continue
		}
		s.least, s.most = min(s.least, x), max(s.most, x)
		s.whole = s.whole && x == math.Trunc(x) && (x != 0 || !math.Signbit(x))
		s.single = s.single && float64(float32(x)) == x
	}
	return s
}

func (s *valueProperties) fits(kind storageKind) bool {
	within := func(first float64) bool { return s.whole && s.most < first && s.least >= -first-26 }
	switch kind {
	case byteStorage:
		return within(missingByte)
	case intStorage:
		return within(missingInt)
	case longStorage:
		return within(missingLong)
	case floatStorage:
		limit := float64(math.Float32frombits(missingFloatBits))
		return s.single && s.most < limit && s.least > -limit
	default:
		return true
	}
}

// planTexts chooses the storage type of texts, from those that occur in records.
func (p *plan) planTexts(w *variablePlan, seen *valueProperties) {
	if seen.first[0] != 0 {
		p.lost.Add("missing text values become empty", w.Name)
	}
	if seen.unencoded {
		p.loseCharacters(w.Name)
	}
	longest, zero := seen.longest, seen.zero
	if p.tagged() && (longest > longestText || zero || w.Storage == longTextName) {
		w.storage, w.first = storage{longTextStorage, 8}, seen.first
		return
	}
	if !p.tagged() && (longest > longestText114 || zero) {
		p.lost.Add("text values of more than "+strconv.Itoa(longestText114)+" bytes are truncated", w.Name)
		longest = min(longest, longestText114)
	}
	most := longestText
	if !p.tagged() {
		most = longestText114
	}
	if digits, ok := strings.CutPrefix(w.Storage, "str"); ok {
		if own, err := strconv.Atoi(digits); err == nil && own <= most {
			longest = max(longest, own)
		}
	}
	w.storage = storage{textStorage, longest}
}

// shownAs returns the display format: that of the file if it is a Stata format for such values.
func shownAs(v *statfile.Variable, s storage) string {
	own := v.Format
	text := v.Kind == statfile.Text
	dates := v.Kind == statfile.Date || v.Kind == statfile.DateTime
	switch {
	case !strings.HasPrefix(own, "%") || len(own) > 48 || text != strings.HasSuffix(own, "s"):
	case dates == (dateFormat(own) != statfile.Number) && (!dates || dateFormat(own) == v.Kind):
		return own
	}
	switch {
	case s.kind == longTextStorage:
		return "%9s"
	case text:
		return "%" + strconv.Itoa(s.width) + "s"
	case v.Kind == statfile.Date:
		return "%td"
	case v.Kind == statfile.DateTime:
		return "%tc"
	}
	if d, ok := statfile.DigitsOf(own); ok && v.Kind == statfile.Number {
		return fmt.Sprintf("%%%d.%df%s", d.Width, d.Decimals, map[bool]string{true: "c"}[d.Thousands])
	}
	return map[storageKind]string{byteStorage: "%8.0g", intStorage: "%8.0g", longStorage: "%12.0g", floatStorage: "%9.0g",
		doubleStorage: "%10.0g"}[s.kind]
}

// planLabels returns the name of the value label table for a variable, a new one or one with the same content.
func (p *plan) planLabels(w *variablePlan, known map[string]string) string {
	t := table{name: w.name}
	for _, label := range w.Labels {
		value, ok := w.code(label.Value)
		if !ok {
			p.lost.Add("value labels of text, of numbers that are not integers and of numbers that are too large are omitted", w.Name)
			continue
		}
		text := p.cut(label.Label, maxValueLabel/4, w.Name)
		t.values, t.labels = append(t.values, value), append(t.labels, text)
	}
	if len(t.values) == 0 {
		return ""
	}
	content := fmt.Sprintf("%v %q", t.values, t.labels)
	if name, same := known[content]; same {
		return name
	}
	known[content] = t.name
	p.tables = append(p.tables, t)
	return t.name
}

// code returns the code of a value in a label table; ok is false if Stata cannot label the value.
func (w *variablePlan) code(value statfile.Value) (code int32, ok bool) {
	if value.IsText {
		return 0, false
	}
	x := value.Number
	if letter, missing := statfile.Tag(x); missing {
		if letter == '_' {
			return 0, false
		}
		return missingLong + int32(tagPlace(letter)), true
	}
	if w.number != nil {
		x = w.number(x)
	}
	if x != math.Trunc(x) || x >= missingLong || x < -missingLong-26 {
		return 0, false
	}
	return int32(x), true
}

// tagPlace returns the place of an extended missing value after ".".
func tagPlace(letter byte) int {
	if letter < 'a' || letter > 'z' {
		return 0
	}
	return int(letter-'a') + 1
}

// names returns valid names for Stata.
func (p *plan) names() []string {
	rule := statfile.NameRule{Most: p.layout.name - 1, Characters: maxName, First: "_", Others: "_", ASCII: !p.tagged(),
		Reserved: reserved}
	names := rule.NamesOf(p.file)
	for i, name := range names {
		p.lost.Renamed("Stata", p.file.Variables[i].Name, name)
	}
	return names
}

// reserved reports whether a name is reserved in Stata.
func reserved(name string) bool {
	if digits, ok := strings.CutPrefix(name, "str"); ok {
		if _, err := strconv.Atoi(digits); err == nil {
			return true
		}
	}
	return slices.Contains([]string{"_all", "_b", "byte", "_coef", "_cons", "double", "float", "if", "in", "int", "long",
		"_n", "_N", "_pi", "_pred",
		"_rc", "_skip", "strL", "using", "with"}, name)
}
