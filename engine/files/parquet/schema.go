package parquet

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// leaf is a flat column.
type leaf struct {
	index    int // index among the columns of the file
	name     string
	storage  string // storage type, for writing the file again
	kind     statfile.Kind
	physical format.Type
	length   int     // bytes of a fixed-length value
	per      float64 // divisor of the stored numbers
	unsigned bool
	half     bool // fixed-length values of two bytes are half-precision numbers
	uuid     bool // fixed-length values of sixteen bytes are UUIDs, formatted in hexadecimal
	optional bool
}

// leaves returns the selected columns, and the names of unsupported ones: nested columns and other types. These
// are left out with a warning, unless the file has no others or they were selected by name.
func leaves(in *statfile.Source, schema []format.SchemaElement, o *statfile.ReadOptions) (out []leaf,
	lost statfile.Losses, err error) {
	if len(schema) == 0 || !schema[0].NumChildren.Valid {
		return nil, lost, in.Failure(statfile.ErrDamaged, "the footer describes no columns: the file is damaged")
	}
	var left string // first unsupported column
	leaveOut := func(name, why string) {
		lost.Add(why, name)
		left = cmp.Or(left, name)
	}
	index := 0
	for at := 1; at < len(schema); {
		element := &schema[at]
		next, columns := beyond(schema, at)
		l := leafOf(element)
		l.index = index
		at, index = next, index+columns
		switch {
		case !o.Wants(element.Name):
		case nested(element):
			leaveOut(element.Name, "lists and structures are omitted, because they are not variables")
		case !element.Type.Valid:
			return nil, lost, in.Failure(statfile.ErrDamaged, "column %q has no type: the file is damaged",
				wording.Excerpt(element.Name))
		case l.storage == "":
			leaveOut(element.Name, "columns of unsupported types are omitted")
		default:
			out = append(out, l)
		}
	}
	if left != "" && (len(out) == 0 || o.Columns != nil) {
		err = in.Failure(statfile.ErrUnsupported,
			"column %q has lists, structures or values of an unsupported type; read the file without it, or save it with "+
				"plain columns",
			wording.Excerpt(left))
	}
	return out, lost, err
}

// nested reports whether an element is a list or a structure.
func nested(e *format.SchemaElement) bool {
	return e.NumChildren.Valid && e.NumChildren.V > 0 || e.RepetitionType.V == format.Repeated
}

// beyond returns the index after an element and its descendants, and their number of columns.
func beyond(schema []format.SchemaElement, at int) (next, columns int) {
	for open := 1; open > 0 && at < len(schema); at++ { // number of elements to skip
		if schema[at].Type.Valid {
			columns++
		}
		if open--; schema[at].NumChildren.V > 0 {
			open += int(schema[at].NumChildren.V)
		}
	}
	return at, columns
}

// leafOf returns the leaf for a column; storage is "" if it is not supported.
func leafOf(e *format.SchemaElement) leaf {
	l := leaf{name: e.Name, physical: e.Type.V, length: int(e.TypeLength.V), per: 1,
		optional: e.RepetitionType.V == format.Optional}
	switch l.physical {
	case format.Boolean:
		l.kind, l.storage = statfile.Boolean, "boolean"
	case format.Int32, format.Int64:
		l.integer(e)
	case format.Int96:
		l.kind, l.storage = statfile.DateTime, "int96"
	case format.Float:
		l.storage = "float"
	case format.Double:
		l.storage = "double"
	case format.ByteArray:
		l.bytes(e)
	case format.FixedLenByteArray:
		if l.length <= 0 {
			return l
		}
		if _, ok := e.LogicalType.Value.(*format.Float16Type); ok && l.length == 2 {
			l.half, l.storage = true, "float16"
			return l
		}
		const uuidBytes = 16
		if _, ok := e.LogicalType.Value.(*format.UUIDType); ok && l.length == uuidBytes {
			l.kind, l.uuid, l.storage = statfile.Text, true, "uuid"
			return l
		}
		l.bytes(e)
	}
	return l
}

// integer sets the meaning of integers from the logical type.
func (l *leaf) integer(e *format.SchemaElement) {
	l.storage = map[format.Type]string{format.Int32: "int32", format.Int64: "int64"}[l.physical]
	switch logical := e.LogicalType.Value.(type) {
	case *format.DateType:
		l.kind, l.storage = statfile.Date, "date"
	case *format.TimestampType:
		l.instant(statfile.DateTime, "timestamp", &logical.Unit)
	case *format.TimeType:
		l.instant(statfile.Time, "time", &logical.Unit)
	case *format.DecimalType:
		l.scaled(logical.Precision, logical.Scale)
	case *format.IntType:
		l.sized(int(logical.BitWidth), logical.IsSigned)
	case nil:
		if e.ConvertedType.Valid {
			l.converted(e)
		}
	}
}

// converted sets the meaning of integers from the converted type of older files.
func (l *leaf) converted(e *format.SchemaElement) {
	milliseconds, microseconds := &format.TimeUnit{Value: &format.MilliSeconds{}}, &format.TimeUnit{Value: &format.MicroSeconds{}}
	switch e.ConvertedType.V {
	case deprecated.Date:
		l.kind, l.storage = statfile.Date, "date"
	case deprecated.TimestampMillis:
		l.instant(statfile.DateTime, "timestamp", milliseconds)
	case deprecated.TimestampMicros:
		l.instant(statfile.DateTime, "timestamp", microseconds)
	case deprecated.TimeMillis:
		l.instant(statfile.Time, "time", milliseconds)
	case deprecated.TimeMicros:
		l.instant(statfile.Time, "time", microseconds)
	case deprecated.Decimal:
		l.scaled(e.Precision.V, e.Scale.V)
	case deprecated.Int8, deprecated.Int16, deprecated.Int32, deprecated.Int64:
		l.sized(8<<(e.ConvertedType.V-deprecated.Int8), true)
	case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
		l.sized(8<<(e.ConvertedType.V-deprecated.Uint8), false)
	}
}

// instant sets the meaning of integers to times in a unit.
func (l *leaf) instant(kind statfile.Kind, name string, unit *format.TimeUnit) {
	l.kind, l.per = kind, 1e9
	short := "ns"
	if unit.Value != nil {
		switch unit.Value.Duration() {
		case time.Millisecond:
			l.per, short = 1e3, "ms"
		case time.Microsecond:
			l.per, short = 1e6, "us"
		}
	}
	l.storage = name + "(" + short + ")"
}

func (l *leaf) scaled(precision, scale int32) {
	l.per = math.Pow(10, float64(scale))
	l.storage = fmt.Sprintf("decimal(%d,%d)", precision, scale)
}

func (l *leaf) sized(bits int, signed bool) {
	l.unsigned = !signed
	l.storage = fmt.Sprintf("int%d", bits)
	if !signed {
		l.storage = "u" + l.storage
	}
}

// bytes sets the meaning of texts and other byte arrays.
func (l *leaf) bytes(e *format.SchemaElement) {
	switch logical := e.LogicalType.Value.(type) {
	case *format.DecimalType:
		l.scaled(logical.Precision, logical.Scale)
	case *format.StringType, *format.EnumType, *format.JsonType, nil:
		switch older := e.ConvertedType; {
		case older.Valid && older.V == deprecated.Decimal:
			l.scaled(e.Precision.V, e.Scale.V)
		case !older.Valid || older.V != deprecated.Interval:
			l.kind, l.storage = statfile.Text, "string"
		}
	}
}
