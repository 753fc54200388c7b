package rdata

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Storage types, in the notation of R.
const (
	storedInteger = "integer"
	storedReal    = "double"
	storedLogical = "logical"
	storedText    = "character"
	storedFactor  = "factor"
	storedLong    = "integer64"
)

// readable reports whether a column is a vector with one value per record.
func (c *column) readable() bool {
	return c.node != nil && c.atomic() && c.attribute("dim") == nil
}

// variable returns the variable of a column, without its data.
func (c *column) variable() statfile.Variable {
	v := statfile.Variable{Name: c.name, Label: c.word("label"), Roles: c.roles.roles, Related: c.roles.related,
		Storage: map[kind]string{logical: storedLogical, integer: storedInteger, real: storedReal, text: storedText}[c.kind]}
	switch {
	case c.is("factor"):
		v.Kind, v.Storage, v.Level = statfile.Text, storedFactor, microdata.Nominal
		v.Listed, _ = c.levels()
		if c.is("ordered") {
			v.Level = microdata.Ordinal
		}
		return v
	case c.kind == text:
		v.Kind = statfile.Text
	case c.kind == logical:
		v.Kind = statfile.Boolean
	case c.is("Date"):
		v.Kind = statfile.Date
	case c.is("POSIXct"):
		v.Kind, v.Format = statfile.DateTime, strings.TrimSpace("POSIXct "+c.word("tzone"))
	case c.is("hms"):
		v.Kind = statfile.Time
	case c.is("difftime"):
		v.Format = "difftime " + c.word("units")
	case c.is(storedLong):
		v.Storage = storedLong
	}
	for _, format := range []string{"format.spss", "format.stata", "format.sas"} {
		if of := c.word(format); of != "" && v.Format == "" {
			v.Format = of
		}
	}
	c.declare(&v)
	return v
}

// declare adds the value labels and declared missing values.
func (c *column) declare(v *statfile.Variable) {
	for _, attribute := range []string{"labels", "value.labels"} {
		labels := c.attribute(attribute)
		if labels == nil || len(v.Labels) > 0 {
			continue
		}
		names := labels.words("names")
		for i, value := range c.values(attribute) {
			if i < len(names) && value.IsText == (v.Kind == statfile.Text) {
				v.Labels = append(v.Labels, statfile.ValueLabel{Value: value, Label: names[i]})
			}
		}
	}
	for _, value := range c.values("na_values") {
		if _, missing := statfile.Tag(value.Number); value.IsText == (v.Kind == statfile.Text) && (value.IsText || !missing) {
			v.Missing = append(v.Missing, value)
		}
	}
	if ends := c.numbers("na_range"); len(ends) == 2 && v.Kind != statfile.Text && ends[0] <= ends[1] {
		v.MissingRange = &statfile.Range{From: ends[0], To: ends[1]}
	}
}

// values returns the values of an attribute.
func (c *column) values(name string) (out []statfile.Value) {
	for _, text := range c.words(name) {
		out = append(out, statfile.Value{Text: text, IsText: true})
	}
	for _, number := range c.numbers(name) {
		out = append(out, statfile.Value{Number: number})
	}
	return out
}

// numbers converts the elements of a vector to numbers, and counts exceptions.
type numbers struct {
	to       func([]float64) // receives the numbers; the memory is reused
	long     bool            // elements are integer64
	endless  bool            // infinite numbers are kept
	most     int64           // maximum number of elements; 0 for all
	taken    int64
	memory   []float64
	infinite int // ±Inf converted to missing
	none     int // NaN other than the missing values of R
	rounded  int // integer64 values of more than 53 bits
}

// begin returns memory for a part of the elements.
func (n *numbers) begin(part int) []float64 {
	if n.most > 0 {
		part = int(min(int64(part), n.most-n.taken))
	}
	n.taken += int64(part)
	n.memory = slices.Grow(n.memory[:0], part)[:part]
	return n.memory
}

func (n *numbers) done() bool { return n.most > 0 && n.taken >= n.most }

func (n *numbers) text([]byte) {}

func (n *numbers) integers(part []int32) {
	out := n.begin(len(part))
	for i := range out {
		if out[i] = float64(part[i]); part[i] == missingInt {
			out[i] = statfile.Missing()
		}
	}
	n.to(out)
}

func (n *numbers) reals(part []uint64) {
	out := n.begin(len(part))
	for i := range out {
		if n.long {
			out[i] = n.whole(int64(part[i]))
		} else {
			out[i] = n.number(part[i])
		}
	}
	n.to(out)
}

// number converts the bits of a number. NA of R is a NaN with the payload 1954; the missing values of haven add a
// letter.
func (n *numbers) number(bits uint64) float64 {
	const exponent = 0x7ff << 52
	if bits&exponent != exponent {
		return math.Float64frombits(bits)
	}
	switch letter := byte(bits >> tagShift); {
	case bits&^(1<<63) == exponent && n.endless:
		return math.Float64frombits(bits)
	case bits&^(1<<63) == exponent:
		n.infinite++
	case uint32(bits) != missingWord:
		n.none++
	case letter >= 'a' && letter <= 'z' || letter == '_':
		return statfile.Extended(letter)
	}
	return statfile.Missing()
}

// whole converts an integer64.
func (n *numbers) whole(x int64) float64 {
	const exact = 1 << 53
	if x == math.MinInt64 {
		return statfile.Missing()
	}
	if x > exact || x < -exact {
		n.rounded++
	}
	return float64(x)
}

// texts collects the elements of a text vector in a dictionary.
type texts struct {
	*statfile.Dictionary
	budget      *statfile.Budget
	most, taken int64
	distinct    int
}

func (t *texts) integers([]int32) {}
func (t *texts) reals([]uint64)   {}
func (t *texts) done() bool       { return t.most > 0 && t.taken >= t.most }

func (t *texts) text(text []byte) {
	if t.done() {
		return
	}
	if t.taken++; text == nil {
		t.AddMissing()
		return
	}
	const header = 48 // of a string, and its slot in the dictionary
	if t.Add(text); t.Distinct() > t.distinct {
		t.distinct = t.Distinct()
		_ = t.budget.Take(int64(len(text) + header)) // an error ends the context
	}
}

// levels collects a factor in a dictionary with all levels in their order.
type levels struct {
	texts
	codes   []uint32 // code by level; 0 if the level is missing
	unknown bool     // some codes have no level
}

// newLevels returns levels with the given names; absent marks missing levels.
func newLevels(names []string, absent []bool, rows int, most int64) *levels {
	l := &levels{texts: texts{Dictionary: statfile.NewDictionary(rows), most: most}}
	for _, missing := range absent {
		if missing {
			l.codes = append(l.codes, 0)
			continue
		}
		l.codes = append(l.codes, l.Code([]byte(names[0])))
		names = names[1:]
	}
	return l
}

func (l *levels) integers(part []int32) {
	for _, code := range part {
		if l.done() {
			return
		}
		l.taken++
		switch {
		case code == missingInt:
			l.AddMissing()
		case code < 1 || int(code) > len(l.codes):
			l.AddMissing()
			l.unknown = true
		default:
			l.AddCode(l.codes[code-1])
		}
	}
}

// reals accepts the codes of a factor stored as doubles, which some programs write.
func (l *levels) reals(part []uint64) {
	whole := numbers{to: func(part []float64) {
		for _, x := range part {
			code := int32(missingInt)
			if x == x && math.Abs(x) < math.MaxInt32 {
				code = int32(x)
			}
			l.integers([]int32{code})
		}
	}}
	whole.reals(part)
}

// spelling converts numbers to text as R does.
type spelling struct{ sink }

func (s spelling) integers(part []int32) {
	for _, x := range part {
		if x == missingInt {
			s.text(nil)
			continue
		}
		s.text(strconv.AppendInt(nil, int64(x), 10))
	}
}

func (s spelling) reals(part []uint64) {
	for _, bits := range part {
		s.text(spelled(math.Float64frombits(bits), bits))
	}
}

// spelled formats a number as R does: with at most 15 digits, in scientific notation if that is shorter.
func spelled(x float64, bits uint64) []byte {
	switch {
	case x != x && uint32(bits) == missingWord:
		return nil
	case x != x:
		return []byte("NaN")
	case math.IsInf(x, 0):
		return []byte(strings.TrimPrefix(strconv.FormatFloat(x, 'f', -1, 64), "+"))
	}
	const digits = 15
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', digits-1, 64), "e")
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	rounded, _ := strconv.ParseFloat(mantissa+"e"+exponent, 64)
	fixed := strconv.FormatFloat(rounded, 'f', -1, 64)
	if powers := mantissa + "e" + exponent; len(powers) < len(fixed) {
		return []byte(powers)
	}
	return []byte(fixed)
}

// feed passes the kept elements, or those of a sequence, to a sink.
func (n *node) feed(most int64, to sink) {
	switch {
	case n.spelled != nil:
		n.spelled.feed(most, spelling{to})
	case n.sequence != nil:
		n.feedSequence(min(most, n.length), to)
	default:
		to.integers(n.keptElements.integers[:min(most, int64(len(n.keptElements.integers)))])
		to.reals(n.keptElements.reals[:min(most, int64(len(n.keptElements.reals)))])
		for i, text := range n.texts[:min(most, int64(len(n.texts)))] {
			if n.absent[i] {
				to.text(nil)
			} else {
				to.text([]byte(text))
			}
		}
	}
}

func (n *node) feedSequence(length int64, to sink) {
	const block = 1 << 14
	for at := int64(0); at < length && !to.done(); at += block {
		part := min(block, length-at)
		ints, bits := make([]int32, 0, part), make([]uint64, 0, part)
		for i := at; i < at+part; i++ {
			x := n.sequence.first + float64(i)*n.sequence.step
			if n.kind == integer && math.Abs(x) <= math.MaxInt32 {
				ints = append(ints, int32(x))
			} else {
				bits = append(bits, math.Float64bits(x))
			}
		}
		if len(ints) > 0 {
			to.integers(ints)
		}
		if len(bits) > 0 {
			to.reals(bits)
		}
	}
}

// wall converts times to local clock times of a time zone; ok is false, and values are unchanged, if these are
// ambiguous because clocks were put back, or if the zone is unknown.
func wall(values []float64, zone string) (ok bool) {
	at, err := time.LoadLocation(zone)
	if err != nil || zone == "Local" {
		return false
	}
	shown := make([]float64, len(values))
	for i, value := range values {
		if shown[i] = value; value == value && math.Abs(value) < 1e12 {
			_, offset := time.Unix(int64(math.Floor(value)), 0).In(at).Zone()
			if shown[i] += float64(offset); moment(shown[i], at) != value {
				return false
			}
		}
	}
	copy(values, shown)
	return true
}

// moment returns the time at which a clock in a zone shows a clock time.
func moment(shown float64, at *time.Location) float64 {
	if !(math.Abs(shown) < 1e12) {
		return shown
	}
	whole := math.Floor(shown)
	clock := time.Unix(int64(whole), 0).UTC()
	year, month, day := clock.Date()
	hour, minute, second := clock.Clock()
	return float64(time.Date(year, month, day, hour, minute, second, 0, at).Unix()) + (shown - whole)
}
