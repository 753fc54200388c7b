package spreadsheet

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"io"
	"math"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// archive is a workbook: parts of XML in a ZIP file.
type archive struct {
	in  *statfile.Source
	zip *zip.Reader
}

func openArchive(in *statfile.Source) (*archive, error) {
	reader, err := zip.NewReader(in, in.Size())
	if err != nil {
		return nil, in.Failure(statfile.ErrDamaged, "the workbook cannot be unpacked: it is truncated or damaged")
	}
	return &archive{in, reader}, nil
}

// file returns a part by its name, which may begin with a slash; nil for none. Some programs
// of Windows write the names of parts with backslashes.
func (a *archive) file(name string) *zip.File {
	name = strings.TrimPrefix(name, "/")
	for _, file := range a.zip.File {
		if strings.EqualFold(strings.ReplaceAll(file.Name, `\`, "/"), name) {
			return file
		}
	}
	return nil
}

func (a *archive) has(name string) bool { return a.file(name) != nil }

// part is an XML part of a workbook, read from front to back.
type part struct {
	*scanner
	name string
	*archive
	closer io.Closer
}

// part opens a part; the meter starts at its size.
func (a *archive) part(name string, meter *progress.Meter) (*part, error) {
	file := a.file(name)
	if file == nil {
		return nil, a.in.Failure(statfile.ErrDamaged, "the workbook has no part %s: it is damaged", name)
	}
	if file.Flags&1 != 0 {
		return nil, a.encrypted()
	}
	content, err := file.Open()
	if err != nil {
		return nil, a.damaged(name)
	}
	meter.Start(int64(min(file.UncompressedSize64, math.MaxInt64)))
	return &part{newScanner(progress.Reader{Reader: content, Meter: meter}), name, a, content}, nil
}

func (a *archive) encrypted() error {
	return a.in.Failure(statfile.ErrUnsupported,
		"the file is encrypted with a password; save it without one in the program that wrote it")
}

func (a *archive) damaged(name string) error {
	return a.in.Failure(statfile.ErrDamaged, "part %s of the workbook cannot be read: it is truncated or damaged", name)
}

// each calls start and text with the elements of a part and the text in them, end
// at their ends; names are without their spaces. An error ends it; errStop without
// one.
func (p *part) each(ctx context.Context, start func(name string, attributes []attr) error, text func([]byte),
	end func(name string) error) error {
	defer p.closer.Close()
	for n := 0; ; n++ {
		if parallel.Stopped(ctx, n) {
			return ctx.Err()
		}
		content, e, err := p.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if errors.Is(err, errLong) {
			return p.in.Failure(statfile.ErrLimit, "part %s has a text of more than %s, and no more is read: check the file",
				p.name, statfile.Megabytes(statfile.MostCell))
		}
		if err != nil {
			return cmp.Or(ctx.Err(), p.damaged(p.name))
		}
		if text != nil && len(content) > 0 {
			text(content)
		}
		if e.start {
			err = start(e.name, p.attrs)
		}
		if err == nil && e.end && end != nil {
			err = end(e.name)
		}
		if errors.Is(err, errStop) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

var errStop = errors.New("enough was read")

// attribute returns an attribute by its name without its space.
func attribute(attributes []attr, name string) string {
	for i := range attributes {
		if attributes[i].name == name {
			return string(attributes[i].value)
		}
	}
	return ""
}
