package spss

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// recordWriter builds the dictionary, in little-endian order.
type recordWriter struct{ bytes []byte }

func (w *recordWriter) number(n int) {
	w.bytes = binary.LittleEndian.AppendUint32(w.bytes, uint32(int32(n)))
}

func (w *recordWriter) float(x float64) {
	w.bytes = binary.LittleEndian.AppendUint64(w.bytes, math.Float64bits(x))
}

// text writes a text padded with spaces to size bytes.
func (w *recordWriter) text(text string, size int) {
	w.bytes = statfile.AppendField(w.bytes, text, size)
}

// fill pads with zeros to a multiple of size from an offset.
func (w *recordWriter) fill(since, size int) {
	for (len(w.bytes)-since)%size != 0 {
		w.bytes = append(w.bytes, 0)
	}
}

const bias = 100

func (w *recordWriter) header(f *statfile.File, l *layout, kind int) {
	magic := "$FL2"
	if kind == zlibBlocks {
		magic = "$FL3"
	}
	w.text(magic, 4)
	w.text("@(#) SPSS DATA FILE - sdcdesk", 60)
	weight := 0
	for i := range l.variables {
		if f.Weight != "" && l.variables[i].Name == f.Weight && l.variables[i].width == 0 {
			weight = l.variables[i].element + 1
		}
	}
	rows := f.Rows
	if rows > math.MaxInt32 {
		rows = -1
	}
	for _, n := range []int{2, l.elements, kind, weight, rows} {
		w.number(n)
	}
	w.float(bias)
	w.text("01 Jan 70", 9)
	w.text("00:00:00", 8)
	w.text(f.Label, longestFileLabel)
	w.bytes = append(w.bytes, 0, 0, 0)
}

func (w *recordWriter) dictionary(f *statfile.File, l *layout) {
	for i := range l.variables {
		w.variable(&l.variables[i])
	}
	for i := range l.variables {
		w.labels(&l.variables[i])
	}
	w.documents(f.Notes)
	w.extension(extIntegers, 4, func() {
		for _, n := range []int{1, 0, 0, -1, 1, 1, 2,
			65001} { // version, machine, IEEE numbers, compression, byte order, code page
			w.number(n)
		}
	})
	w.extension(extFloats, 8, func() {
		w.float(systemMissing)
		w.float(highest)
		w.float(math.Float64frombits(lowestBits))
	})
	w.extension(extDisplay, 4, func() { w.display(l) })
	w.extension(extLongNames, 1, func() { w.longNames(l) })
	w.extension(extLongTexts, 1, func() { w.longTexts(l) })
	w.extension(extRows, 8, func() {
		w.bytes = binary.LittleEndian.AppendUint64(w.bytes, 1)
		w.bytes = binary.LittleEndian.AppendUint64(w.bytes, uint64(f.Rows))
	})
	w.extension(extEncoding, 1, func() { w.bytes = append(w.bytes, "UTF-8"...) })
	w.extension(extLongLabels, 1, func() { w.longLabels(l) })
	w.extension(extLongMissing, 1, func() { w.longMissing(l) })
	w.number(recordEnd)
	w.number(0)
}

func (w *recordWriter) variable(v *stored) {
	for i, short := range v.short {
		width, format := v.width, v.format
		if v.width > 0 {
			width = v.segment(i)
			format.width = width
		}
		label, missing := v.LabelAs(v.name), 0
		if i > 0 {
			label = ""
		}
		if i == 0 && v.width <= longestMissing {
			if missing = len(v.missing); v.hasMissing != nil {
				missing = -2 - missing
			}
		}
		w.number(recordVariable)
		w.number(width)
		w.number(map[bool]int{true: 1}[label != ""])
		w.number(missing)
		w.number(int(format.packed()))
		w.number(int(format.packed()))
		w.text(short, 8)
		if label = statfile.Cut(label, longestLabel); label != "" {
			w.number(len(label))
			start := len(w.bytes)
			w.bytes = append(w.bytes, label...)
			w.fill(start, 4)
		}
		if missing != 0 {
			w.missing(v)
		}
		for range (width - 1) / 8 {
			w.continuation()
		}
	}
}

func (w *recordWriter) continuation() {
	for _, n := range []int{recordVariable, continuation, 0, 0, 0, 0} {
		w.number(n)
	}
	w.text("", 8)
}

func (w *recordWriter) missing(v *stored) {
	if r := v.hasMissing; r != nil {
		from, to := own(v.Kind, r.From), own(v.Kind, r.To)
		if math.IsInf(from, -1) {
			from = math.Float64frombits(lowestBits)
		}
		if math.IsInf(to, 1) {
			to = highest
		}
		w.float(from)
		w.float(to)
	}
	for _, value := range v.missing {
		w.value(v, value)
	}
}

// value writes a value in eight bytes.
func (w *recordWriter) value(v *stored, value statfile.Value) {
	if value.IsText {
		w.text(value.Text, 8)
	} else {
		w.float(own(v.Kind, value.Number))
	}
}

// labels writes the value labels of numbers and of texts of up to eight bytes.
func (w *recordWriter) labels(v *stored) {
	if len(v.labels) == 0 || v.width > 8 {
		return
	}
	w.number(recordLabels)
	w.number(len(v.labels))
	for _, l := range v.labels {
		w.value(v, l.Value)
		start := len(w.bytes)
		w.bytes = append(append(w.bytes, byte(len(l.Label))), l.Label...)
		w.fill(start, 8)
	}
	w.number(recordLabelsOf)
	w.number(1)
	w.number(v.element + 1)
}

func (w *recordWriter) documents(lines []string) {
	if len(lines) == 0 {
		return
	}
	w.number(recordDocument)
	w.number(len(lines))
	for _, line := range lines {
		w.text(line, documentLineSize)
	}
}

// extension writes an extension record, unless it would be empty.
func (w *recordWriter) extension(subtype, size int, content func()) {
	start := len(w.bytes)
	w.number(recordExtension)
	w.number(subtype)
	w.number(size)
	count := len(w.bytes)
	w.number(0)
	content()
	length := len(w.bytes) - count - 4
	if length == 0 {
		w.bytes = w.bytes[:start]
		return
	}
	binary.LittleEndian.PutUint32(w.bytes[count:], uint32(length/size))
}

func (w *recordWriter) display(l *layout) {
	const left, right, widest = 0, 1, 40
	for i := range l.variables {
		v := &l.variables[i]
		level := 0
		for code, name := range levels() {
			if name == v.Level && name != microdata.MeasurementLevel("") {
				level = int(code)
			}
		}
		for j := range v.short {
			layout, ok := parseColumnLayout(v.Layout)
			switch {
			case ok:
			case v.width > 0:
				layout = columnLayout{min(max(8, v.segment(j)), widest), left}
			default:
				layout = columnLayout{max(8, v.format.width), right}
			}
			w.number(level)
			w.number(layout.width)
			w.number(layout.side)
		}
	}
}

func (w *recordWriter) longNames(l *layout) {
	for i := range l.variables {
		if i > 0 {
			w.bytes = append(w.bytes, '\t')
		}
		w.bytes = append(w.bytes, l.variables[i].short[0]+"="+l.variables[i].name...)
	}
}

func (w *recordWriter) longTexts(l *layout) {
	for i := range l.variables {
		if v := &l.variables[i]; len(v.short) > 1 {
			w.bytes = fmt.Appendf(w.bytes, "%s=%05d\x00\t", v.short[0], v.width)
		}
	}
}

// counted writes a text after its length.
func (w *recordWriter) counted(text string) {
	w.number(len(text))
	w.bytes = append(w.bytes, text...)
}

func (w *recordWriter) longLabels(l *layout) {
	for i := range l.variables {
		v := &l.variables[i]
		if len(v.labels) == 0 || v.width <= 8 {
			continue
		}
		w.counted(v.name)
		w.number(v.width)
		w.number(len(v.labels))
		for _, l := range v.labels {
			w.counted(l.Value.Text + strings.Repeat(" ", v.width-len(l.Value.Text)))
			w.counted(l.Label)
		}
	}
}

func (w *recordWriter) longMissing(l *layout) {
	for i := range l.variables {
		v := &l.variables[i]
		if len(v.missing) == 0 || v.width <= 8 {
			continue
		}
		w.counted(v.name)
		w.bytes = append(w.bytes, byte(len(v.missing)))
		w.number(longestMissing)
		for _, value := range v.missing {
			w.text(value.Text, longestMissing)
		}
	}
}
