package parquet

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// stored is a variable as it is going to be written.
type stored struct {
	*statfile.Variable
	physical format.Type
	per      float64 // whole numbers are the values times this
	element  format.SchemaElement

	least, most float64 // of whole numbers; 0: of others
}

// Lacks says what Parquet cannot hold.
func (Format) Lacks(f *statfile.File, _ statfile.Settings) []string {
	var lost statfile.Losses
	lost.ValuesOnly(f)
	for i := range f.Variables {
		v := &f.Variables[i]
		s := storedAs(v)
		if v.Storage == "uuid" {
			lost.Add("identifiers (UUID) become texts", v.Name)
		}
		dated := v.Kind == statfile.Date || v.Kind == statfile.DateTime || v.Kind == statfile.Time ||
			v.Kind == statfile.Boolean
		if dated && s.physical == format.Double {
			lost.Add("dates with fractions, times beyond a day and truth values other than 1 and 0 become numbers", v.Name)
		}
	}
	return lost.Sentences()
}

// storedAs chooses how a variable is stored: as it was in Parquet, where that
// holds all its values, else by its kind and values.
func storedAs(v *statfile.Variable) stored {
	c := choicesOf(v)
	c.look(v.Column.Numbers)
	return c.left[0]
}

// choices are the ways in which a variable can be stored, the best first, that hold all values so far. The
// last holds any.
type choices struct{ left []stored }

// look looks at values, of which a text has none here.
func (c *choices) look(numbers []float64) {
	last := c.left[len(c.left)-1]
	c.left = append(slices.DeleteFunc(c.left[:len(c.left)-1], func(s stored) bool { return !s.holds(numbers) }), last)
}

// choicesOf returns the choices of a variable without values.
func choicesOf(v *statfile.Variable) choices {
	var c choices
	add := func(set func(*stored)) {
		s := stored{Variable: v, per: 1}
		set(&s)
		c.left = append(c.left, s)
	}
	switch v.Kind {
	case statfile.Text:
		add(func(s *stored) { s.typed(format.ByteArray, &format.StringType{}, deprecated.UTF8) })
		return c
	case statfile.Boolean:
		add(func(s *stored) { s.typed(format.Boolean, nil, none) })
	case statfile.Date:
		add(func(s *stored) { s.typed(format.Int32, &format.DateType{}, deprecated.Date) })
	case statfile.DateTime:
		add(func(s *stored) { s.timed("timestamp") })
	case statfile.Time:
		add(func(s *stored) { s.timed("time") })
	default:
		c.numbers(v.Storage, add)
	}
	add(func(s *stored) { s.typed(format.Double, nil, none) })
	return c
}

// none is no converted type.
const none = deprecated.ConvertedType(-1)

func (s *stored) typed(physical format.Type, logical format.LogicalTypeValue, converted deprecated.ConvertedType) {
	s.physical = physical
	s.element = format.SchemaElement{Name: s.Name, Type: thrift.New(physical), RepetitionType: thrift.New(format.Optional)}
	s.element.LogicalType.Value = logical
	if converted != none {
		s.element.ConvertedType = thrift.New(converted)
	}
}

// timed stores moments or times of day in the unit that they had, else in
// microseconds.
func (s *stored) timed(name string) {
	unit, physical := format.TimeUnit{Value: &format.MicroSeconds{}}, format.Int64
	s.per = 1e6
	converted := map[string]deprecated.ConvertedType{"timestamp": deprecated.TimestampMicros,
		"time": deprecated.TimeMicros}[name]
	switch s.Storage {
	case name + "(ms)":
		unit.Value, s.per = &format.MilliSeconds{}, 1e3
		converted = map[string]deprecated.ConvertedType{"timestamp": deprecated.TimestampMillis,
			"time": deprecated.TimeMillis}[name]
		if name == "time" {
			physical = format.Int32
		}
	case name + "(ns)":
		unit.Value, s.per, converted = &format.NanoSeconds{}, 1e9, none
	}
	if name == "time" {
		s.typed(physical, &format.TimeType{Unit: unit}, converted)
	} else {
		s.typed(physical, &format.TimestampType{Unit: unit}, converted)
	}
}

// numbers adds the ways in which numbers that were stored in one are stored, but as doubles.
func (c *choices) numbers(own string, add func(func(*stored))) {
	bits, signed := 0, !strings.HasPrefix(own, "u")
	if n, err := fmt.Sscanf(strings.TrimPrefix(own, "u"), "int%d", &bits); n == 1 && err == nil &&
		(bits == 8 || bits == 16 || bits == 32 || bits == 64) {
		add(func(s *stored) { s.whole(bits, signed) })
	}
	var precision, scale int32
	if n, _ := fmt.Sscanf(own, "decimal(%d,%d)", &precision, &scale); n == 2 && precision <= 18 && scale >= 0 &&
		scale <= precision {
		add(func(s *stored) {
			s.per = math.Pow(10, float64(scale))
			s.typed(format.Int64, &format.DecimalType{Scale: scale, Precision: precision}, deprecated.Decimal)
			s.element.Scale, s.element.Precision = thrift.New(scale), thrift.New(precision)
		})
	}
	if own == "float" {
		add(func(s *stored) { s.typed(format.Float, nil, none) })
	}
	if own != "double" {
		add(func(s *stored) { s.whole(32, true) })
		add(func(s *stored) { s.whole(64, true) })
	}
}

func (s *stored) whole(bits int, signed bool) {
	physical := format.Int32
	if bits == 64 {
		physical = format.Int64
	}
	base := deprecated.Int8
	if !signed {
		base = deprecated.Uint8
	}
	place := map[int]deprecated.ConvertedType{8: 0, 16: 1, 32: 2, 64: 3}[bits]
	s.typed(physical, &format.IntType{BitWidth: int8(bits), IsSigned: signed}, base+place)
	if s.least, s.most = 0, math.Ldexp(1, bits)-1; signed {
		s.least, s.most = -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1)-1
	}
}

// holds reports whether every value comes back as it is.
func (s *stored) holds(numbers []float64) bool {
	const exact = 1 << 53
	for _, x := range numbers {
		if x != x {
			continue
		}
		scaled := math.Round(x * s.per)
		switch {
		case x == 0 && math.Signbit(x), s.most > 0 && (x < s.least || x > s.most):
			return false
		case s.physical == format.Boolean && x != 0 && x != 1,
			s.physical == format.Float && float64(float32(x)) != x,
			s.physical == format.Int32 && (scaled < math.MinInt32 || scaled > math.MaxUint32 || s.per == 1 && scaled != x),
			s.physical == format.Int64 && s.per == 1 && (scaled != x || math.Abs(x) > exact),
			s.physical == format.Int64 && math.Abs(scaled) >= 1<<63,
			s.element.Precision.Valid && (scaled/s.per != x || math.Abs(scaled) > exact),
			s.Kind == statfile.Time && (x < 0 || x >= 86400):
			return false
		}
	}
	return true
}
