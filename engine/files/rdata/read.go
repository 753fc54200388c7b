package rdata

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Format reads R files and writes .rds.
type Format struct{}

// Names of the settings.
const (
	objectSetting  = "object"
	objectsSetting = "objects" // all data frames in the file, one per line
	classSetting   = "class"   // classes of the data frame, one per line
)

// Info describes the file type.
func (Format) Info() statfile.Info {
	return statfile.Info{Name: "rds", Program: "an R file (rds, RData)", Endings: []string{".rds"}, Encoded: true,
		Declares: true, Labelled: true, FileLabel: true, Notes: true, Packed: true, Options: options}
}

// options returns the options: the data frame, if there are several.
func options(settings statfile.Settings) []statfile.Option {
	names := settings[objectsSetting]
	if names == "" {
		return nil
	}
	choices := statfile.Plain(strings.Split(names, "\n")...)
	for i := range choices {
		choices[i].Name = nameOf(choices[i].Value)
	}
	return []statfile.Option{{Setting: objectSetting, Name: "data frame", First: true, Help: "Data frame to read.", Choices: choices}}
}

// Recognise reports whether a file begins like an R file, compressed or not, and lists its data frames.
func (Format) Recognise(ctx context.Context, in *statfile.Source) (statfile.Settings, bool, error) {
	if in.Size() == 0 {
		return nil, false, nil
	}
	if _, _, ok := startOf(in.Head()); !ok && statfile.UnpackerOf(in.Head()) == nil {
		return nil, false, nil
	}
	one, err := startsAsFrame(ctx, in)
	switch {
	case err != nil:
		return nil, false, ctx.Err()
	case one:
		return statfile.Settings{}, true, nil
	}
	o, err := readOutline(ctx, in, 0, nil)
	if err != nil {
		return statfile.Settings{}, true, ctx.Err() // reading returns the error
	}
	return o.settings(), true, nil
}

// errStart is returned at the end of the start of a file.
var errStart = errors.New("only the start of the file is read")

// startsAsFrame reports whether a file begins with a data frame, a list of vectors of equal length, and is longer
// than its start: the rest need not be decompressed to know that there is nothing to choose. An error means that
// it is not an R file.
func startsAsFrame(ctx context.Context, in *statfile.Source) (bool, error) {
	const start = 1 << 20
	p, named, err := newParser(ctx, in, nil)
	if err != nil {
		return false, err
	}
	defer p.close()
	p.most = start
	root := p.object(true, false)
	if named || !errors.Is(p.err, errStart) || root == nil || root.kind != list || len(root.elements) == 0 {
		return false, nil
	}
	return !slices.ContainsFunc(root.elements, func(n *node) bool {
		return !n.atomic() || n.length != root.elements[0].length
	}), nil
}

// settings returns the settings of a file with several data frames, the largest first.
func (o *outline) settings() statfile.Settings {
	o.sort()
	if len(o.frames) < 2 {
		return statfile.Settings{}
	}
	paths := wording.Joined(o.frames, "\n", func(f frame) string { return f.path })
	return statfile.Settings{objectSetting: o.frames[0].path, objectsSetting: paths}
}

func (o *outline) sort() {
	slices.SortStableFunc(o.frames, func(a, b frame) int { return cmp.Compare(b.cells(), a.cells()) })
}

func (f *frame) cells() int64 {
	rows, _ := f.rows()
	return rows * int64(len(f.columns))
}

// rows returns the number of records of a data frame; ok is false if its columns disagree.
func (f *frame) rows() (rows int64, ok bool) {
	rows = -1
	for i := range f.columns {
		switch c := &f.columns[i]; {
		case !c.readable():
		case rows < 0:
			rows = c.length
		case rows != c.length:
			return rows, false
		}
	}
	return max(0, rows), true
}

// readState is the state of reading a data frame.
type readState struct {
	ctx     context.Context
	in      *statfile.Source
	o       *statfile.ReadOptions
	meter   *progress.Meter
	frame   *frame
	columns []*column // selected
	rows    int       // selected
	file    *statfile.File
	blocks  *statfile.Blocks
	sinks   []sink // by column
}

// Read reads a data frame.
func (Format) Read(ctx context.Context, in *statfile.Source, o statfile.ReadOptions,
	meter *progress.Meter) (*statfile.File, error) {
	meter.Start(2 * in.Size())
	found, err := readOutline(ctx, in, int64(o.Rows), meter)
	if err != nil {
		return nil, err
	}
	found.sort()
	frame, err := found.chosen(in, o.Settings)
	if err != nil {
		return nil, err
	}
	rows, ok := frame.rows()
	const sequencesAlone = 1 << 24
	if rows > sequencesAlone && !slices.ContainsFunc(frame.columns, func(c column) bool {
		return c.readable() && c.sequence == nil && (c.spelled == nil || c.spelled.sequence == nil)
	}) {
		ok = false
	}
	if !ok {
		return nil, in.Failure(statfile.ErrDamaged, "the columns of the data frame differ in length")
	}
	r := &readState{ctx: ctx, in: in, o: &o, meter: meter, frame: frame, rows: int(o.AtMost(rows)),
		file: &statfile.File{Total: int(rows), Label: frame.node.word("label"), Notes: frame.node.words("notes"),
			Settings: found.settings()}}
	r.file.Rows = r.rows
	if path := frame.path; path != "" && r.file.Settings[objectsSetting] != "" {
		r.file.Settings[objectSetting] = path
	}
	if class := frame.node.words("class"); len(class) > 0 {
		r.file.Settings[classSetting] = strings.Join(class, "\n")
	}
	if err := r.read(); err != nil {
		return nil, explained(ctx, in, err)
	}
	if later := found.laterThan(frame); later != "" {
		r.file.Warnings = append(r.file.Warnings, fmt.Sprintf(
			"the file also contains the protected version of these data: to continue with it, choose the data frame %q", wording.Excerpt(nameOf(later))))
	}
	meter.Set(in.Size(), in.Size())
	return r.file, nil
}

// read reads the selected columns, from the outline if that has enough elements.
func (r *readState) read() error {
	charset, err := r.in.Charset(r.o.Encoding)
	if err != nil {
		return err
	}
	decode := func(text string) string {
		if utf8.ValidString(text) {
			return text
		}
		return charset.Decode(text)
	}
	labels := r.frame.node.attribute("variable.labels")
	for i := range r.frame.columns {
		c := &r.frame.columns[i]
		c.name = decode(c.name)
		if !c.readable() || !r.o.Wants(c.name) {
			continue
		}
		v := c.variable()
		if words := r.frame.node.words("variable.labels"); v.Label == "" && labels != nil && len(words) > 0 {
			if at := slices.Index(labels.words("names"), c.name); at >= 0 && at < len(words) {
				v.Label = words[at]
			}
		}
		decodeAll(&v, decode)
		r.columns, r.file.Variables = append(r.columns, c), append(r.file.Variables, v)
	}
	shown := len(r.columns)
	for _, c := range r.columns[:shown] {
		if c.was != nil {
			v := c.was.variable()
			decodeAll(&v, decode)
			r.columns, r.file.Variables = append(r.columns, c.was), append(r.file.Variables, v)
		}
	}
	r.blocks = statfile.NewBlocks(r.in, len(r.columns), r.rows, r.o.Compact, nil)
	for i := range r.columns {
		r.sinks = append(r.sinks, r.sinkOf(i))
	}
	if r.rows > 0 {
		if err := r.elements(); err != nil {
			return err
		}
	}
	if err := r.finish(decode); err != nil {
		return err
	}
	r.file.Encoding = charset.Name()
	r.warn(charset)
	all := r.file.Variables
	r.file.Variables = all[:shown:shown]
	for i, next := 0, shown; i < shown; i++ {
		if r.columns[i].was != nil {
			all[i].Was = &all[next]
			next++
		}
	}
	return nil
}

// decodeAll decodes the metadata of a variable.
func decodeAll(v *statfile.Variable, decode func(string) string) {
	v.Label, v.Format = decode(v.Label), decode(v.Format)
	for i := range v.Labels {
		v.Labels[i].Label, v.Labels[i].Value.Text = decode(v.Labels[i].Label), decode(v.Labels[i].Value.Text)
	}
	for i := range v.Missing {
		v.Missing[i].Text = decode(v.Missing[i].Text)
	}
	for i := range v.Listed {
		v.Listed[i] = decode(v.Listed[i])
	}
	for i := range v.Related {
		v.Related[i] = decode(v.Related[i])
	}
}

// sinkOf returns the sink of a column.
func (r *readState) sinkOf(i int) sink {
	v, most := &r.file.Variables[i], int64(r.rows)
	const soon = 1 << 14 // rows for which memory is allocated in advance
	switch {
	case v.Listed != nil:
		_, absent := r.columns[i].levels()
		return newLevels(v.Listed, absent, min(r.rows, soon), most)
	case v.Kind == statfile.Text:
		return &texts{Dictionary: statfile.NewDictionary(min(r.rows, soon)), most: most, budget: r.in.Budget}
	}
	row := 0
	return &numbers{most: most, long: v.Storage == storedLong, to: func(part []float64) {
		r.blocks.Put(row, i, statfile.Column{Numbers: part})
		row += len(part)
	}}
}

// errEnough ends reading after the last selected element.
var errEnough = errors.New("all was read")

// elements reads the elements of the columns.
func (r *readState) elements() error {
	sinks := map[int]sink{}
	for i, c := range r.columns {
		of := c.node
		to := r.sinks[i]
		if c.spelled != nil {
			of, to = c.spelled, spelling{to}
		}
		if of.whole(int64(r.rows)) {
			of.feed(int64(r.rows), to)
		} else {
			sinks[of.serial] = to
		}
	}
	if len(sinks) == 0 {
		return nil
	}
	p, _, err := newParser(r.ctx, r.in, r.meter)
	if err != nil {
		return err
	}
	defer p.close()
	p.sinks, p.nodes = sinks, 0
	if p.object(false, false); errors.Is(p.err, errEnough) {
		return nil
	}
	return cmp.Or(p.err, errEnded)
}

// finish builds the columns.
func (r *readState) finish(decode func(string) string) error {
	columns, err := r.blocks.Columns(r.ctx, func(int) bool { return false })
	if err != nil {
		return err
	}
	for i := range columns {
		v := &r.file.Variables[i]
		v.Column = columns[i]
		switch to := r.sinks[i].(type) {
		case *texts:
			v.Column = statfile.Column{Texts: to.Texts()}
		case *levels:
			v.Column = statfile.Column{Texts: to.Texts()}
		}
		if all := v.Column.Texts; all != nil {
			for at, text := range all.Values {
				all.Values[at] = decode(text)
			}
		}
		if v.Kind == statfile.DateTime {
			r.showClock(v)
		}
		if v.Column.Len() != r.rows {
			return errEnded
		}
	}
	return nil
}

// showClock converts times to the clock time of their time zone, if that is unambiguous.
func (r *readState) showClock(v *statfile.Variable) {
	zone := strings.TrimPrefix(strings.TrimPrefix(v.Format, "POSIXct"), " ")
	values := v.Column.Numbers
	if v.Column.Few != nil {
		values = v.Column.Few.Values
	}
	if zone != "" && !wall(values, zone) {
		v.Format += inUTC
		r.file.Warnings = append(r.file.Warnings, fmt.Sprintf(
			"times of %s are shown in UTC, because its time zone %s is unknown on this computer or makes them ambiguous",
			wording.Excerpt(v.Name), wording.Excerpt(zone)))
	}
}

// inUTC is appended to the time zone of times that are shown in UTC.
const inUTC = ", in UTC"

// warn adds warnings about losses.
func (r *readState) warn(charset *statfile.Charset) {
	var lost statfile.Losses
	r.frame.left(&lost)
	for i, to := range r.sinks {
		name := r.file.Variables[i].Name
		count := func(n int, sentence string) {
			if n > 0 {
				lost.Add(sentence, name+" ("+wording.Number(n)+")")
			}
		}
		switch to := to.(type) {
		case *numbers:
			count(to.infinite, "infinite values become missing")
			count(to.none, "values that are not numbers (NaN) become missing")
			count(to.rounded, "integers of more than 53 bits are rounded")
		case *levels:
			if to.unknown {
				lost.Add("codes without a level become missing", name)
			}
		}
	}
	r.file.Warnings = append(r.file.Warnings, append(lost.Sentences(), charset.Warnings()...)...)
}
