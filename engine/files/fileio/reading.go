package fileio

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/muargus"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// ReadReport describes the result of reading a file.
type ReadReport struct {
	Format   Format   // complete format: writing with it reproduces the file
	Warnings []string // irregularities in words, without values except those that look like missing codes
}

// readTuning holds parameters of reading that do not affect the result.
type readTuning struct {
	block   int // bytes; 0 to depend on the width of records
	workers int // goroutines; 0 for the number of processors
}

// readState is the state of reading a file.
type readState struct {
	*dialect
	input
	format     Format
	names      []string
	renamed    []string // warnings about renamed variables
	variables  []variable
	book       codebook                   // codebook
	otherNames []string                   // described variables that the file names differently
	called     func(name string) []string // returns the described names for a name; see muargus.ByName
	checked    bool                       // check that the text is UTF-8
	workers    int
	series     *series // nil unless a folder is read
	cut        *cutter
	first      *block // first block
	start      int    // start of the records in first

	mutex    sync.Mutex
	records  int
	tally    tally
	failed   error // error of the first failed block
	failedAt int   // index of that block
}

// tally holds counts over blocks.
type tally struct {
	breaks, crlf int         // lines that ended, and those that ended with CRLF
	empty, nulls occurrences // empty lines skipped; NUL bytes
	fixed        fixedFindings
}

func (t *tally) add(other tally) {
	t.breaks += other.breaks
	t.crlf += other.crlf
	t.empty.add(other.empty)
	t.nulls.add(other.nulls)
	t.fixed.add(other.fixed)
}

// occurrences is a count of occurrences and the line, or offset, of the first.
type occurrences struct{ count, first int }

func (m *occurrences) add(other occurrences) {
	if m.count == 0 || other.count > 0 && other.first < m.first {
		m.first = other.first
	}
	m.count += other.count
}

// readText reads a text file. head is its beginning; content starts at the beginning too.
func readText(ctx context.Context, in input, f Format, t readTuning,
	meter *progress.Meter) (*microdata.Dataset, *ReadReport, error) {
	r, err := beginText(ctx, in, f, t, meter)
	if err != nil {
		return nil, nil, err
	}
	defer r.series.close()
	if err := r.parse(ctx); err != nil {
		return nil, nil, unreadable(in.name, err)
	}
	data, lookalikes, err := r.assemble(ctx)
	if err != nil {
		return nil, nil, prefixed(in.name, err)
	}
	meter.Set(r.size+r.beyond, r.size+r.beyond)
	return data, r.report(lookalikes), nil
}

// beginText reads the header of a text file and prepares reading its cells.
func beginText(ctx context.Context, in input, f Format, t readTuning, meter *progress.Meter) (*readState, error) {
	f, err := f.complete(in.head)
	if err != nil {
		return nil, prefixed(in.name, err)
	}
	r := &readState{dialect: f.dialect(), input: in, format: f, checked: decoding(f.Encoding) == nil,
		workers: cmp.Or(t.workers, runtime.GOMAXPROCS(0)), called: muargus.ByName(f.Fields)}
	c, err := r.cutter(ctx, t, meter)
	if err != nil {
		return nil, unreadable(in.name, err)
	}
	r.cut = c
	if r.first, r.start, err = r.readNames(c); err != nil {
		return nil, unreadable(in.name, err)
	}
	if r.first.before = 0; f.Type != Fixed {
		c.fewest = len(r.names) // the delimiters and a line end
	}
	if t.block == 0 {
		c.size = min(max(defaultBlock, 256*r.start), 1<<24) // proportional to the record length
	}
	if err := f.wantedAmong(r.names); err != nil {
		return nil, prefixed(in.name, err)
	}
	r.variables = make([]variable, len(r.names))
	for i := range r.variables {
		v := &r.variables[i]
		v.dialect, v.nominal = r.dialect.of(&f, i), f.described() && f.Fields[i].Nominal()
		v.skipped = !f.wants(r.names[i])
		v.texts = v.nominal // codes made of digits are texts too
		v.Scratch, v.Lexicon.Scratch, v.Budget = f.Scratch, f.Scratch, in.budget
	}
	if len(in.records) > 0 {
		r.book = codebook{}
	}
	for i, of := range in.records {
		if r.variables[i].texts, r.variables[i].skipped = of.Text, of.Skipped; of.Said != nil {
			r.book[r.names[i]] = of.Said
		}
	}
	return r, r.lay(ctx)
}

// cutter returns the cutter of the file, after a byte order mark.
func (r *readState) cutter(ctx context.Context, t readTuning, meter *progress.Meter) (*cutter, error) {
	if meter == nil {
		meter = new(progress.Meter)
	}
	source, mark := r.metered(meter), int64(len(byteOrderMark(r.format.Encoding)))
	if _, err := io.CopyN(io.Discard, source, mark); err != nil {
		return nil, err
	}
	if source = r.decoded(&r.format, source); len(r.parts) > 0 {
		var err error
		if r.series, err = seriesOf(ctx, &r.input, &r.format, source, meter); err != nil {
			return nil, err
		}
		source = r.series
	}
	c := &cutter{source: source, passed: meter.Fraction, name: r.name, dialect: r.dialect,
		size: cmp.Or(t.block, defaultBlock), line: 1}
	if r.format.Type == Fixed { // a fixed record can have fewer bytes than variables
		const fewestLines, mostCells = 64, 1 << 21
		c.most = max(fewestLines, mostCells/len(r.format.Fields))
	}
	return c, nil
}

// metered returns the content; the meter counts the bytes read from the file, before decompression.
func (in *input) metered(meter *progress.Meter) io.Reader {
	meter.Start(in.stored() + in.beyond)
	return in.passing(meter)
}

// passing is metered for a file of a series.
func (in *input) passing(meter *progress.Meter) io.Reader {
	if z, compressed := in.content.(*zipReader); compressed {
		z.meter = meter
		return z
	}
	return progress.Reader{Reader: in.content, Meter: meter}
}

// stored returns the size of the file in bytes, before decompression.
func (in *input) stored() int64 {
	if z, compressed := in.content.(*zipReader); compressed {
		return z.size
	}
	return in.size
}

// mostEmpty is the maximum number of bytes of empty lines before the header or a record.
const mostEmpty = 64 << 20

// readNames reads the first record: the header, or only the number of variables if there is none. It returns the
// block that contains it, and where the records start.
func (r *readState) readNames(c *cutter) (first *block, start int, err error) {
	for {
		b, err := c.next(nil)
		if err != nil {
			return nil, 0, err
		}
		if b == nil {
			return nil, 0, failure(ErrEmpty, "%s: the file has no variable names and no records; choose another file", r.name)
		}
		l, at := r.lines(b, 0), 0
		var fields []field // of the first record that is not an empty line
		for l.pos < l.end && fields == nil {
			at = l.pos
			if fields, err = r.record(l, b, nil); err != nil {
				return nil, 0, err
			}
			if blankLine(fields) {
				l.empty.add(occurrences{1, at})
				fields = nil
			}
		}
		r.tally.empty.add(occurrences{l.empty.count, r.lineOf(b, l.empty.first)})
		if err := checkNumber(len(fields)); err != nil {
			return nil, 0, prefixed(r.name, err)
		}
		switch {
		case fields == nil && c.offset > mostEmpty:
			return nil, 0, failure(ErrLimit, "%s: the first %s are empty lines; remove them", r.name,
				statfile.Megabytes(mostEmpty))
		case fields == nil:
			continue
		case r.format.Header:
			r.tally.add(tally{breaks: l.breaks, crlf: l.crlf})
			return b, l.pos, r.setNames(b, at, fields)
		case r.format.described():
			r.names = r.format.fieldNames()
		default:
			r.names = positionNames(len(fields))
		}
		return b, at, nil
	}
}

// setNames sets the names of the variables from the first record or the description, and records their spelling in
// the file.
func (r *readState) setNames(b *block, at int, fields []field) error {
	spelled := make([]string, len(fields))
	quoted := 0
	for i, f := range fields {
		spelled[i] = string(f.bytes(b.data, r.quote))
		if f.quoted() {
			quoted++
		}
	}
	if err := checkNames(spelled); err != nil {
		return prefixed(r.name, err)
	}
	r.format.QuotedNames = quoted == len(fields)
	described := r.format.described()
	if !described {
		r.names, r.renamed = uniqueNames(spelled)
	} else if r.names = r.format.fieldNames(); len(r.names) != len(spelled) {
		return failureAt(ErrRagged, r.name, r.lineOf(b, at), "%s, but the description has %s; describe every column",
			wording.Counted(len(spelled), "name"), wording.Counted(len(r.names), "variable"))
	}
	for i, name := range r.names {
		if described && !strings.EqualFold(spelled[i], name) {
			r.otherNames = append(r.otherNames, name)
		}
	}
	r.format.Renamed = otherSpellings(r.names, spelled)
	return nil
}

// otherSpellings returns the spellings in the file of names that differ from it, or nil if none do.
func otherSpellings(names, spelled []string) (out map[string]string) {
	for i, name := range names {
		if name != spelled[i] {
			if out == nil {
				out = map[string]string{}
			}
			out[name] = spelled[i]
		}
	}
	return out
}

// lineOf returns the line number of an offset in a block.
func (r *readState) lineOf(b *block, offset int) int {
	return b.line + bytes.Count(b.data[:offset], []byte{r.newline})
}

// uniqueNames returns names that are unique and not empty, and warnings about changed ones: an empty name becomes
// V and its position, a repeated one gets _2, _3 and so on.
func uniqueNames(spelled []string) (names, warnings []string) {
	taken := make(map[string]bool, len(spelled))
	for _, name := range spelled {
		taken[name] = true
	}
	used := make(map[string]bool, len(spelled))
	next := map[string]int{}
	names = make([]string, len(spelled))
	for i, name := range spelled {
		unique := name
		if name == "" {
			unique = "V" + strconv.Itoa(i+1)
		}
		if used[unique] || name == "" && taken[unique] {
			base := unique
			for n := max(2, next[base]); ; n++ {
				unique = base + "_" + strconv.Itoa(n)
				if !taken[unique] && !used[unique] {
					next[base] = n + 1
					break
				}
			}
		}
		used[unique] = true
		names[i] = unique
		switch {
		case name == "":
			warnings = append(warnings, fmt.Sprintf("column %s has no name; it is named %q", wording.Number(i+1), unique))
		case unique != name:
			warnings = append(warnings, fmt.Sprintf("column %s: the name %s occurs twice; this column is named %s", wording.Number(i+1),
				quotedName(name), quotedName(unique)))
		}
	}
	return names, firstOf(warnings, "column", "have no name or a repeated name")
}

// positionNames returns names for n variables without a header: V1, V2 and so on.
func positionNames(n int) []string {
	names, _ := uniqueNames(make([]string, n))
	return names
}
