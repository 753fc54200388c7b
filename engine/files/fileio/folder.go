package fileio

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/text/transform"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Files returns the paths of the data files of a path, in order of name: the path itself or, for a folder, its
// files except those whose names start with a dot or an underscore. The files of a folder must have the same
// extension and variables. Errors wrap ErrDirectory or errors of package io/fs.
func Files(path string) ([]string, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return []string{path}, nil // opening it returns the error
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	var paths []string
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || strings.ContainsAny(name[:1], "._") {
			continue
		}
		if len(paths) > 0 && !strings.EqualFold(filepath.Ext(paths[0]), filepath.Ext(name)) {
			return nil, failure(ErrDirectory, "%s contains files of several types (%s and %s): choose one file, or put the files that belong together into "+
				"a separate folder", path, filepath.Base(paths[0]), name)
		}
		paths = append(paths, filepath.Join(path, name))
	}
	if len(paths) == 0 {
		return nil, failure(ErrDirectory, "%s is a folder without files; choose another folder", path)
	}
	return paths, nil
}

// part opens a file of a folder after the first, which must have the same type.
func (in *input) part(ctx context.Context, path string) (io.Closer, *input, error) {
	file, part, err := openFile(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	part.budget, part.name = in.budget, in.name+"/"+part.name
	return file, &part, nil
}

// others returns the error for a file of a folder whose variables differ from those of the first.
func (in *input) others(first string) error {
	return failure(ErrRagged, "%s does not have the variables of %s in the same order, as all files of a folder must",
		in.name, filepath.Base(first))
}

// readParts reads the files of a folder as one file with all their records.
func (k statfileKind) readParts(ctx context.Context, in *input, o statfile.ReadOptions, meter *progress.Meter) (*statfile.File, error) {
	whole, err := k.Read(ctx, k.source(in), o, meter)
	if err != nil || len(in.parts) == 0 || o.Rows > 0 {
		return whole, err
	}
	rows := 0
	blocks := statfile.NewBlocks(k.source(in), len(whole.Variables), -1, o.Compact, nil)
	take := func(file *statfile.File) {
		for i := range file.Variables {
			blocks.Put(rows, i, file.Variables[i].Column.Expanded())
			file.Variables[i].Column = statfile.Column{}
		}
		rows += file.Rows
	}
	take(whole)
	for _, path := range in.parts {
		file, err := k.readPart(ctx, in, path, o)
		if err != nil {
			return nil, err
		}
		if !file.Like(whole) {
			return nil, (&input{name: in.name + "/" + filepath.Base(path)}).others(in.path)
		}
		take(file)
		meter.Add(1)
	}
	columns, err := blocks.Columns(ctx, func(i int) bool { return whole.Variables[i].Kind == statfile.Text })
	for i := range columns {
		whole.Variables[i].Column = columns[i]
	}
	whole.Rows, whole.Total = rows, rows
	return whole, err
}

// readPart reads a file of a folder after the first.
func (k statfileKind) readPart(ctx context.Context, in *input, path string, o statfile.ReadOptions) (*statfile.File, error) {
	closer, part, err := in.part(ctx, path)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	source := k.source(part)
	if _, known, err := k.Recognise(ctx, source); err != nil || !known {
		return nil, errors.Join(err, part.notText())
	}
	return k.Read(ctx, source, o, nil)
}

// series is the concatenated text of the files of a folder in UTF-8, without the header of each file after the
// first.
type series struct {
	ctx     context.Context
	in      *input
	format  *Format
	meter   *progress.Meter
	current io.Reader
	parts   []string // files not read yet
	closer  io.Closer
	names   []byte // first record of the first file
	last    byte   // last byte read
}

// seriesOf returns the text of a folder; source is the text of its first file, which is open.
func seriesOf(ctx context.Context, in *input, f *Format, source io.Reader, meter *progress.Meter) (*series, error) {
	s := &series{ctx: ctx, in: in, format: f, meter: meter, parts: in.parts, current: source}
	if !f.Header {
		return s, nil
	}
	buffered := bufio.NewReader(source)
	var err error
	s.names, err = s.firstRecord(in.name, buffered)
	s.current = io.MultiReader(bytes.NewReader(s.names), buffered)
	return s, err
}

// firstRecord reads the first record, including empty lines before it.
func (s *series) firstRecord(name string, from *bufio.Reader) (text []byte, err error) {
	d := s.format.dialect()
	for {
		part, err := from.ReadSlice(d.newline)
		text = append(text, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull) && len(text) <= largestRecord:
		case errors.Is(err, io.EOF):
			return text, nil
		case err != nil:
			return nil, failure(ErrLimit, "%s: the line with the variable names exceeds %s", name, statfile.Megabytes(largestRecord))
		case d.quote != 0 && bytes.Count(text, []byte{d.quote})%2 == 1:
		case len(bytes.TrimSpace(text)) > 0:
			return text, nil
		}
	}
}

// Read implements io.Reader across the files.
func (s *series) Read(p []byte) (int, error) {
	newline := s.format.dialect().newline
	for len(p) > 0 {
		n, err := s.current.Read(p)
		if n > 0 {
			s.last = p[n-1]
			return n, nil
		}
		switch {
		case !errors.Is(err, io.EOF):
			return 0, err
		case len(s.parts) == 0:
			return 0, io.EOF
		case s.last != newline && s.last != '\n': // the last line of a file may lack a line end
			p[0], s.last = newline, newline
			return 1, nil
		}
		if err := s.next(); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// next opens the next file and skips its header.
func (s *series) next() error {
	if err := s.close(); err != nil {
		return err
	}
	closer, part, err := s.in.part(s.ctx, s.parts[0])
	if err != nil {
		return err
	}
	s.closer, s.parts = closer, s.parts[1:]
	source := bufio.NewReader(part.decoded(s.format, part.passing(s.meter)))
	if mark, _ := source.Peek(3); string(mark) == "\ufeff" {
		_, _ = source.Discard(3)
	}
	if s.current = source; !s.format.Header {
		return nil
	}
	names, err := s.firstRecord(part.name, source)
	if err == nil && !bytes.Equal(bytes.TrimSpace(names), bytes.TrimSpace(s.names)) {
		err = part.others(s.in.path)
	}
	return err
}

// close closes the open file after the first, if any.
func (s *series) close() (err error) {
	if s == nil {
		return nil
	}
	if s.closer != nil {
		err = s.closer.Close()
	}
	s.closer = nil
	return err
}

// decoded returns text decoded to UTF-8.
func (in *input) decoded(f *Format, text io.Reader) io.Reader {
	if decode := decoding(f.Encoding); decode != nil {
		return transform.NewReader(text, decode)
	}
	return text
}
