package sas

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Transport is the format of transport files, .xpt.
type Transport struct{}

var _ statfile.Format = Transport{}

// Info describes the file type: its encoding is not declared, and there are extended missing values.
func (Transport) Info() statfile.Info {
	return statfile.Info{Name: "xpt", Program: "a SAS transport file (xpt)", Endings: []string{".xpt"}, Encoded: true,
		Declares: true, FileLabel: true}
}

// recordSize is the size of the records of a transport file.
const recordSize = 80

// version is the name of a setting with the value "5" or "8".
const version = "version"

const headerStart = "HEADER RECORD*******"

// Recognise checks the first record.
func (Transport) Recognise(_ context.Context, in *statfile.Source) (statfile.Settings, bool, error) {
	head := in.Head()
	return nil, bytes.HasPrefix(head, []byte(headerStart+"LIBRARY HEADER")) ||
		bytes.HasPrefix(head, []byte(headerStart+"LIBV8   HEADER")), nil
}

// member is a dataset of a transport file.
type member struct {
	label  string
	fields []field
	names  []string
	labels []string
	format []string
	stride int
	start  int64 // offset of the rows
	eight  bool  // version 8
}

// Read reads the first dataset of a transport file, with a warning if there are more.
func (Transport) Read(ctx context.Context, in *statfile.Source, o statfile.ReadOptions,
	meter *progress.Meter) (*statfile.File, error) {
	meter.Start(in.Size())
	m, err := readMember(in)
	if err != nil {
		return nil, err
	}
	charset, err := in.Charset(o.Encoding)
	if err != nil {
		return nil, err
	}
	f := &statfile.File{Label: charset.Decode(m.label),
		Settings: statfile.Settings{version: map[bool]string{false: "5", true: "8"}[m.eight]}}
	t := &table{stride: m.stride, number: fromIBM}
	for i := range m.fields {
		v := statfile.Variable{Name: charset.Decode(m.names[i]), Label: charset.Decode(m.labels[i]),
			Format: charset.Decode(m.format[i]), Kind: m.fields[i].kind, Width: m.fields[i].width}
		if o.Wants(v.Name) {
			f.Variables, t.fields = append(f.Variables, v), append(t.fields, m.fields[i])
		}
	}
	if f.Rows, err = m.rowsOf(ctx, in, f); err != nil {
		return nil, err
	}
	f.Total = -1 // the file does not contain the number of rows
	if o.Rows > 0 && o.Rows < f.Rows {
		f.Rows, f.Truncated = o.Rows, ""
	}
	err = f.Gather(ctx, in, &o, charset, f.Rows, func(b *statfile.Blocks) error {
		return in.ReadRows(ctx, m.start, f.Rows, m.stride, meter, func(own *statfile.RowMemory, first int) error {
			t.put(b, first, own)
			return nil
		})
	})
	return f, err
}

// reader reads the header records of a member.
type reader struct {
	*statfile.Cursor
}

// header reads a header record of one of the given kinds and returns the rest of it.
func (r *reader) header(kinds ...string) string {
	record := string(r.Take(recordSize))
	for _, kind := range kinds {
		if strings.HasPrefix(record, headerStart+kind) {
			return record[len(headerStart):]
		}
	}
	r.Fail(statfile.ErrDamaged, "a %s header record is expected", strings.TrimSpace(kinds[0]))
	return strings.Repeat(" ", recordSize)
}

// number parses a decimal number.
func (r *reader) number(text string) int {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 0 {
		r.Fail(statfile.ErrDamaged, "a header record lacks a number")
		return 0
	}
	return n
}

func readMember(in *statfile.Source) (*member, error) {
	r := &reader{in.Cursor(0, binary.BigEndian)}
	m := &member{eight: strings.HasPrefix(r.header("LIBRARY ", "LIBV8   "), "LIBV8")}
	r.Skip(2 * recordSize)
	kind := r.header("MEMBER  ", "MEMBV8  ")
	size := r.number(kind[54:58])
	r.header("DSCRPTR ", "DSCPTV8 ")
	r.Skip(recordSize)
	if second := r.Take(recordSize); second != nil {
		m.label = trimmed(second[32:72])
	}
	kind = r.header("NAMESTR ", "NAMSTV8 ")
	count := r.number(kind[32:38]) // in version 5, the first two digits are zeros
	if r.Err() == nil && (size < 136 || size > 200 || int64(count)*int64(size) > r.Left()) {
		r.Fail(statfile.ErrDamaged, "the header declares %d variables of %d bytes, more than the rest of the file can hold",
			count, size)
	}
	if err := cmp.Or(r.Err(), in.CheckVariables(int64(count))); err != nil {
		return nil, err
	}
	for range count {
		m.variable(r, r.Take(size))
	}
	m.place()
	r.toRecord()
	for r.Err() == nil {
		kind := string(r.Peek(recordSize))
		if !strings.HasPrefix(kind, headerStart+"LABELV") {
			break
		}
		m.longLabels(r, r.header("LABELV"))
	}
	r.header("OBS     ", "OBSV8   ")
	m.start = r.At
	if r.Err() == nil && len(m.fields) == 0 {
		r.Fail(statfile.ErrDamaged, "the file has no variables")
	}
	return m, r.Err()
}

// toRecord skips to the beginning of the next record.
func (r *reader) toRecord() { r.Skip((recordSize - r.At%recordSize) % recordSize) }

// variable parses the description of a variable.
func (m *member) variable(r *reader, bytes []byte) {
	if bytes == nil {
		return
	}
	two := func(at int) int { return int(binary.BigEndian.Uint16(bytes[at:])) }
	f := field{width: two(4), offset: int(binary.BigEndian.Uint32(bytes[84:]))}
	name, label := trimmed(bytes[8:16]), trimmed(bytes[16:56])
	if m.eight && len(bytes) >= 120 {
		if long := trimmed(bytes[88:120]); long != "" {
			name = long
		}
	}
	format := formatText(trimmed(bytes[56:64]), two(64), two(66))
	f.kind = kindOf(format)
	if two(0) == 2 {
		f.kind = statfile.Text
	}
	if f.width < 1 || f.kind != statfile.Text && (f.width < 2 || f.width > 8) || f.offset > 1<<24 {
		r.Fail(statfile.ErrDamaged, "a variable has an impossible length or offset")
	}
	m.fields, m.names, m.labels, m.format = append(m.fields, f), append(m.names, name), append(m.labels,
		label), append(m.format, format)
}

// place sets the row length and, if the described positions are not in the order of the variables, recomputes
// them: %LOC2XPT describes another order than it writes.
func (m *member) place() {
	asDescribed := true
	for i := range m.fields {
		f := &m.fields[i]
		asDescribed = asDescribed && f.offset >= m.stride
		m.stride = max(m.stride, f.offset+f.width)
	}
	if asDescribed {
		return
	}
	m.stride = 0
	for i := range m.fields {
		m.fields[i].offset = m.stride
		m.stride += m.fields[i].width
	}
}

// longLabels reads names, labels and formats that do not fit into the descriptions.
func (m *member) longLabels(r *reader, kind string) {
	count := r.number(strings.TrimRight(kind[28:36], " "))
	nine := strings.HasPrefix(kind, "LABELV9")
	for range count {
		variable, name, label := int(r.Uint16())-1, int(r.Uint16()), int(r.Uint16())
		format, informat := 0, 0
		if nine {
			format, informat = int(r.Uint16()), int(r.Uint16())
		}
		texts := [3]string{trimmed(r.Take(name)), trimmed(r.Take(label)), trimmed(r.Take(format))}
		r.Skip(int64(informat))
		if r.Err() != nil {
			return
		}
		if variable < 0 || variable >= len(m.names) {
			r.Fail(statfile.ErrDamaged, "a label refers to a variable that does not exist")
			return
		}
		m.names[variable], m.labels[variable] = texts[0], texts[1]
		if texts[2] != "" {
			m.format[variable] = strings.TrimSuffix(texts[2], ".")
		}
	}
	r.toRecord()
}

// rowsOf counts the rows up to the end of the file or the next dataset. The file does not contain their number:
// the last record is padded with spaces, so a row of spaces at the end does not count.
func (m *member) rowsOf(ctx context.Context, in *statfile.Source, f *statfile.File) (int, error) {
	end, next, err := m.nextMember(ctx, in)
	if err != nil {
		return 0, err
	}
	if next {
		f.Warnings = append(f.Warnings, "the file has several datasets; the first is read")
	}
	size := end - m.start
	rows := size / int64(m.stride)
	tail := min(size, int64(recordSize-1+m.stride))
	last, err := in.Bytes(end-tail, tail)
	if err != nil {
		return 0, err
	}
	rest := last[tail-size%int64(m.stride):]
	blank := func(text []byte) bool { return len(bytes.TrimRight(text, " ")) == 0 }
	if size%recordSize != 0 || !blank(rest) {
		f.Truncated = "the file ends within a record after " + wording.Counted(int(rows), "record") + ": it is truncated"
		return int(rows), nil
	}
	for filler := int64(len(rest)); rows > 0 && filler+int64(m.stride) < recordSize; rows-- {
		row := last[tail-filler-int64(m.stride) : tail-filler]
		if !blank(row) {
			break
		}
		filler += int64(m.stride)
	}
	return int(rows), nil
}

// nextMember returns the end of the rows: the next dataset or the end of the file.
func (m *member) nextMember(ctx context.Context, in *statfile.Source) (end int64, more bool, err error) {
	const window = 1 << 20 / recordSize * recordSize
	buffer := make([]byte, min(window, in.Size()))
	for at := m.start; at < in.Size(); at += window {
		content, err := in.BytesIn(buffer, at, min(window, in.Size()-at))
		if err = cmp.Or(ctx.Err(), err); err != nil {
			return 0, false, err
		}
		for from := 0; ; {
			found := bytes.Index(content[from:], []byte(headerStart+"MEMB"))
			if found < 0 {
				break
			}
			if from += found; (at+int64(from))%recordSize == 0 {
				return at + int64(from), true, nil
			}
			from++
		}
	}
	return in.Size(), false, nil
}
