package parquet

import (
	"fmt"
	"math"
	"slices"
	"strings"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// stored is a variable as it will be written.
type stored struct {
	*statfile.Variable
	node    pq.Node
	per     float64 // integers are the values multiplied by it
	decimal bool    // integers are of a decimal number

	least, most float64 // range of integers; 0 for other types
}

// Lacks implements statfile.Writer.
func (Format) Lacks(f *statfile.File, _ statfile.Settings) []string {
	var lost statfile.Losses
	lost.ValuesOnly(f)
	for i := range f.Variables {
		v := &f.Variables[i]
		if v.Storage == "uuid" {
			lost.Add("UUIDs become text", v.Name)
		}
		if s := storedAs(v); v.Kind != statfile.Number && s.physical() == format.Double {
			lost.Add("dates with fractions, times of more than a day and logical values other than 1 and 0 become numbers", v.Name)
		}
	}
	return lost.Sentences()
}

// physical returns the physical type of the values.
func (s *stored) physical() format.Type { return *s.node.Type().PhysicalType() }

// element returns the schema element of the column.
func (s *stored) element() format.SchemaElement {
	typ := s.node.Type()
	e := format.SchemaElement{Name: s.Name, Type: thrift.New(s.physical()), RepetitionType: thrift.New(format.Optional)}
	if logical := typ.LogicalType(); logical != nil {
		e.LogicalType = *logical
	}
	if converted := typ.ConvertedType(); converted != nil {
		e.ConvertedType = thrift.New(*converted)
	}
	if decimal, ok := e.LogicalType.Value.(*format.DecimalType); ok {
		e.Scale, e.Precision = thrift.New(decimal.Scale), thrift.New(decimal.Precision)
	}
	return e
}

// storedAs decides how a variable is stored: as it was in Parquet if that holds all values, else according to its
// kind and values.
func storedAs(v *statfile.Variable) stored {
	if v.Kind == statfile.Text {
		return stored{Variable: v, node: pq.String()}
	}
	ways := waysOf(v)
	if at := slices.IndexFunc(ways, func(s stored) bool { return s.holds(v.Column.Numbers) }); at >= 0 {
		return ways[at]
	}
	return stored{Variable: v, node: pq.Leaf(pq.DoubleType)}
}

// waysOf returns the ways of storing a numeric variable other than as doubles, the best first.
func waysOf(v *statfile.Variable) []stored {
	unit, per := unitOf(v.Storage)
	switch v.Kind {
	case statfile.Boolean:
		return []stored{{Variable: v, node: pq.Leaf(pq.BooleanType), per: 1}}
	case statfile.Date:
		return []stored{{Variable: v, node: pq.Date(), per: 1}}
	case statfile.DateTime:
		return []stored{{Variable: v, node: pq.TimestampAdjusted(unit, false), per: per}}
	case statfile.Time:
		return []stored{{Variable: v, node: pq.TimeAdjusted(unit, false), per: per}}
	}
	return numbersOf(v)
}

// unitOf returns the time unit in a storage type, by default microseconds, and its number per second.
func unitOf(storage string) (unit pq.TimeUnit, per float64) {
	switch {
	case strings.HasSuffix(storage, "(ms)"):
		return pq.Millisecond, 1e3
	case strings.HasSuffix(storage, "(ns)"):
		return pq.Nanosecond, 1e9
	}
	return pq.Microsecond, 1e6
}

// numbersOf returns the ways of storing a variable of kind Number.
func numbersOf(v *statfile.Variable) (ways []stored) {
	bits, signed := 0, !strings.HasPrefix(v.Storage, "u")
	if n, err := fmt.Sscanf(strings.TrimPrefix(v.Storage, "u"), "int%d", &bits); n == 1 && err == nil &&
		(bits == 8 || bits == 16 || bits == 32 || bits == 64) {
		ways = append(ways, wholeOf(v, bits, signed))
	}
	var precision, scale int
	if n, _ := fmt.Sscanf(v.Storage, "decimal(%d,%d)", &precision, &scale); n == 2 && precision <= 18 && scale >= 0 &&
		scale <= precision {
		ways = append(ways, stored{Variable: v, node: pq.Decimal(scale, precision, pq.Int64Type),
			per: math.Pow(10, float64(scale)), decimal: true})
	}
	if v.Storage == "float" {
		ways = append(ways, stored{Variable: v, node: pq.Leaf(pq.FloatType), per: 1})
	}
	if v.Storage != "double" {
		ways = append(ways, wholeOf(v, 32, true), wholeOf(v, 64, true))
	}
	return ways
}

// wholeOf stores integers of the given number of bits.
func wholeOf(v *statfile.Variable, bits int, signed bool) stored {
	if !signed {
		return stored{Variable: v, node: pq.Uint(bits), per: 1, most: math.Ldexp(1, bits) - 1}
	}
	most := math.Ldexp(1, bits-1)
	return stored{Variable: v, node: pq.Int(bits), per: 1, least: -most, most: most - 1}
}

// holds reports whether every value can be restored exactly.
func (s *stored) holds(numbers []float64) bool {
	const exact = 1 << 53
	physical := s.physical()
	for _, x := range numbers {
		if x != x {
			continue
		}
		scaled := math.Round(x * s.per)
		switch {
		case x == 0 && math.Signbit(x), s.most > 0 && (x < s.least || x > s.most):
			return false
		case physical == format.Boolean && x != 0 && x != 1,
			physical == format.Float && float64(float32(x)) != x,
			physical == format.Int32 && (scaled < math.MinInt32 || scaled > math.MaxUint32 || s.per == 1 && scaled != x),
			physical == format.Int64 && s.per == 1 && (scaled != x || math.Abs(x) > exact),
			physical == format.Int64 && math.Abs(scaled) >= 1<<63,
			s.decimal && (scaled/s.per != x || math.Abs(scaled) > exact),
			s.Kind == statfile.Time && (x < 0 || x >= 86400):
			return false
		}
	}
	return true
}
