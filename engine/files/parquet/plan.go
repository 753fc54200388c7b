package parquet

import (
	"fmt"
	"math"
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
	s := stored{Variable: v, per: 1}
	switch v.Kind {
	case statfile.Text:
		s.typed(format.ByteArray, &format.StringType{}, deprecated.UTF8)
		return s
	case statfile.Boolean:
		s.typed(format.Boolean, nil, none)
	case statfile.Date:
		s.typed(format.Int32, &format.DateType{}, deprecated.Date)
	case statfile.DateTime:
		s.timed("timestamp")
	case statfile.Time:
		s.timed("time")
	default:
		s.number()
		return s
	}
	if !s.holds() {
		s.per = 1
		s.typed(format.Double, nil, none)
	}
	return s
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

// number stores numbers.
func (s *stored) number() {
	own := s.Storage
	bits, signed := 0, !strings.HasPrefix(own, "u")
	if n, err := fmt.Sscanf(strings.TrimPrefix(own, "u"), "int%d", &bits); n == 1 && err == nil &&
		(bits == 8 || bits == 16 || bits == 32 || bits == 64) {
		s.whole(bits, signed)
		if s.holds() && s.within(bits, signed) {
			return
		}
	}
	var precision, scale int32
	if n, _ := fmt.Sscanf(own, "decimal(%d,%d)", &precision, &scale); n == 2 && precision <= 18 && scale >= 0 &&
		scale <= precision {
		s.per = math.Pow(10, float64(scale))
		s.typed(format.Int64, &format.DecimalType{Scale: scale, Precision: precision}, deprecated.Decimal)
		s.element.Scale, s.element.Precision = thrift.New(scale), thrift.New(precision)
		if s.holds() {
			return
		}
	}
	s.per = 1
	if own == "float" {
		if s.typed(format.Float, nil, none); s.holds() {
			return
		}
	}
	if own != "double" {
		for _, bits := range []int{32, 64} {
			if s.whole(bits, true); s.holds() && s.within(bits, true) {
				return
			}
		}
	}
	s.typed(format.Double, nil, none)
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
}

// within reports whether all values fit a number of bits.
func (s *stored) within(bits int, signed bool) bool {
	from, to := 0.0, math.Ldexp(1, bits)-1
	if signed {
		from, to = -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1)-1
	}
	for _, x := range s.Column.Numbers {
		if x < from || x > to {
			return false
		}
	}
	return true
}

// holds reports whether every value comes back as it is.
func (s *stored) holds() bool {
	const exact = 1 << 53
	for _, x := range s.Column.Numbers {
		if x != x {
			continue
		}
		scaled := math.Round(x * s.per)
		switch {
		case x == 0 && math.Signbit(x):
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
