package spss

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Widths of texts stored as several variables.
const (
	shortText   = 255 // maximum width of a variable
	segmentStep = 252 // the number of variables is the total width divided by this
)

// place is the position of a variable in a row.
type place struct {
	variable int   // index of the record
	segments []int // first elements of the segments of a long text; one for others
	width    int   // width of a text; 0 for a number
}

// places returns the variables, with the segments of long texts joined.
func (d *dictionary) places() []place {
	var out []place
	for i := 0; i < len(d.variables); i++ {
		v := &d.variables[i]
		p := place{variable: i, segments: []int{v.element}, width: v.width}
		if long := d.longTexts[strings.ToUpper(v.name)]; long > 0 && v.width == shortText {
			p.width = long
			for range (long - 1) / segmentStep {
				if i+1 < len(d.variables) && d.variables[i+1].width > 0 {
					i++
					p.segments = append(p.segments, d.variables[i].element)
				}
			}
		}
		out = append(out, p)
	}
	return out
}

// charset returns the character set of the file, or the requested one.
func (d *dictionary) charset(in *statfile.Source, asked string) (*statfile.Charset, error) {
	page := ""
	const largestOld = 4 // codes up to it say only that texts have eight bits
	if d.codePage > largestOld {
		page = strconv.Itoa(d.codePage)
	}
	return in.Charset(asked, d.encoding, page)
}

// neutralVariables returns the variables without their data.
func (d *dictionary) neutralVariables(places []place, charset *statfile.Charset) []statfile.Variable {
	out := make([]statfile.Variable, len(places))
	display := 0 // display words per variable record
	if n := len(d.variables); n > 0 && len(d.display)%n == 0 {
		display = len(d.display) / n
	}
	for i, p := range places {
		v := &d.variables[p.variable]
		long, some := d.longNames[strings.ToUpper(v.name)]
		if !some {
			long = v.name
		}
		out[i] = statfile.Variable{Name: charset.Decode(long), Label: charset.Decode(v.label), Width: p.width,
			Format: v.print.String(), Kind: v.print.kind()}
		if p.width > 0 {
			out[i].Kind = statfile.Text
			out[i].Format = "A" + strconv.Itoa(p.width)
		} else {
			out[i].Width = v.print.width
		}
		if display > 0 {
			words := d.display[p.variable*display:][:display]
			out[i].Level = levels()[words[0]]
			if display == displayWords {
				out[i].Layout = columnLayout{int(words[1]), int(words[2])}.String()
			}
		}
		d.missingOf(&out[i], v, charset)
		for _, name := range slices.Compact([]string{v.name, long}) {
			for _, value := range d.longMissing[name] {
				out[i].Missing = append(out[i].Missing, statfile.Value{Text: charset.Decode(value), IsText: true})
			}
			for _, l := range d.longLabels[name] {
				out[i].Labels = append(out[i].Labels,
					statfile.ValueLabel{Value: statfile.Value{Text: charset.Decode(l.value), IsText: true},
						Label: charset.Decode(l.label)})
			}
		}
	}
	d.shortLabels(out, places, charset)
	return out
}

func levels() map[uint32]microdata.MeasurementLevel {
	return map[uint32]microdata.MeasurementLevel{1: microdata.Nominal, 2: microdata.Ordinal, 3: microdata.Scale}
}

// value converts eight bytes to a value of a variable.
func (d *dictionary) value(bytes []byte, v *statfile.Variable, charset *statfile.Charset) statfile.Value {
	if v.Kind == statfile.Text {
		return statfile.Value{Text: charset.Decode(trimmed(bytes)), IsText: true}
	}
	return statfile.Value{Number: neutral(v.Kind, d.number(bytes))}
}

func (d *dictionary) number(bytes []byte) float64 {
	return math.Float64frombits(d.order.Uint64(bytes))
}

// missingOf adds the declared missing values of numbers and short texts.
func (d *dictionary) missingOf(out *statfile.Variable, v *variable, charset *statfile.Charset) {
	values := v.missing
	if v.ranged && v.width == 0 && len(values) >= 2 {
		r := statfile.Range{From: d.number(values[0]), To: d.number(values[1])}
		if r.From <= math.Float64frombits(lowestBits) {
			r.From = math.Inf(-1)
		}
		if r.To >= highest {
			r.To = math.Inf(1)
		}
		r.From, r.To = neutral(out.Kind, r.From), neutral(out.Kind, r.To)
		out.MissingRange, values = &r, values[2:]
	}
	for _, value := range values {
		out.Missing = append(out.Missing, d.value(value, out, charset))
	}
}

// labelBytes returns the memory of value labels in bytes, with a copy of each shared set for every variable.
func (d *dictionary) labelBytes() (bytes int64) {
	for _, set := range d.labels {
		bytes += int64(len(set.labels)) * int64(len(set.variables)) * statfile.LabelBytes
	}
	return bytes
}

// shortLabels adds the value labels of numbers and texts of up to eight bytes.
func (d *dictionary) shortLabels(out []statfile.Variable, places []place, charset *statfile.Charset) {
	at := make(map[int]int, len(places)) // variables by first element
	for i, p := range places {
		at[p.segments[0]] = i
	}
	for _, set := range d.labels {
		labels := make([]string, len(set.labels))
		for j, label := range set.labels {
			labels[j] = charset.Decode(label)
		}
		for _, element := range set.variables {
			i, known := at[element]
			if !known {
				continue
			}
			for j, value := range set.values {
				out[i].Labels = append(out[i].Labels, statfile.ValueLabel{Value: d.value(value, &out[i], charset),
					Label: labels[j]})
			}
		}
	}
}

// weightName returns the name of the weight variable.
func (d *dictionary) weightName(variables []statfile.Variable, places []place) string {
	for i, p := range places {
		if d.weight > 0 && p.segments[0] == d.weight-1 {
			return variables[i].Name
		}
	}
	return ""
}

// warnings returns warnings about content that is not kept.
func (d *dictionary) warnings() []string {
	out := slices.Sorted(maps.Keys(d.unkept))
	for i := range out {
		out[i] += " are omitted"
	}
	return out
}
