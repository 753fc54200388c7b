package spreadsheet

import (
	"archive/zip"
	"bufio"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// archive is a workbook as a ZIP file of XML parts.
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

// file returns a part by name, which may begin with a slash, or nil. Some Windows programs write part names with
// backslashes.
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

// part is an XML part of a workbook, read sequentially.
type part struct {
	name string
	*archive
	content io.ReadCloser
	meter   *progress.Meter
}

// part opens a part; the total of the meter is its size.
func (a *archive) part(name string, meter *progress.Meter) (*part, error) {
	file := a.file(name)
	if file == nil {
		return nil, a.in.Failure(statfile.ErrDamaged, "the workbook has no part %s: the workbook is damaged", name)
	}
	if file.Flags&1 != 0 {
		return nil, a.encrypted()
	}
	content, err := file.Open()
	if err != nil {
		return nil, a.damaged(name)
	}
	meter.Start(int64(min(file.UncompressedSize64, math.MaxInt64)))
	return &part{name, a, content, meter}, nil
}

func (a *archive) encrypted() error {
	return a.in.Failure(statfile.ErrUnsupported,
		"the file is encrypted with a password; save it without one in the program that wrote it")
}

func (a *archive) damaged(name string) error {
	return a.in.Failure(statfile.ErrDamaged, "part %s of the workbook cannot be read: it is truncated or damaged", name)
}

// each calls start, text and end for the elements of a part and the text in them; names are without namespaces. An
// error of a callback ends it; errStop ends it without an error.
func (p *part) each(ctx context.Context, start func(name string, attributes []xml.Attr) error, text func([]byte),
	end func(name string) error) error {
	defer p.content.Close()
	decoder, in := newDecoder(progress.Reader{Reader: p.content, Meter: p.meter})
	for n, depth := 0, 0; ; n++ {
		if parallel.Stopped(ctx, n) {
			return ctx.Err()
		}
		in.next()
		token, err := decoder.RawToken()
		switch {
		case errors.Is(err, io.EOF) && depth == 0:
			return nil
		case errors.Is(err, errLong):
			return p.in.Failure(statfile.ErrLimit, "part %s has a text that exceeds %s, the limit: check the file",
				p.name, statfile.Megabytes(statfile.MostCell))
		case err != nil:
			return cmp.Or(ctx.Err(), p.damaged(p.name))
		}
		switch token := token.(type) {
		case xml.StartElement:
			depth++
			err = start(token.Name.Local, token.Attr)
		case xml.CharData:
			if text != nil {
				text(token)
			}
		case xml.EndElement:
			if depth--; end != nil {
				err = end(token.Name.Local)
			}
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

// attribute returns an attribute by its local name.
func attribute(attributes []xml.Attr, name string) string {
	for i := range attributes {
		if attributes[i].Name.Local == name {
			return attributes[i].Value
		}
	}
	return ""
}

// errLong is returned for a text or element that is too long.
var errLong = errors.New("longer than is read")

// newDecoder returns an XML decoder that ignores the declared encoding, because all programs write UTF-8.
func newDecoder(r io.Reader) (*xml.Decoder, *tokenLimit) {
	in := &tokenLimit{Reader: bufio.NewReaderSize(r, 1<<16)}
	d := xml.NewDecoder(in)
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	return d, in
}

// tokenLimit limits the length of a token, because the decoder keeps a whole one in memory.
type tokenLimit struct {
	*bufio.Reader
	left int
}

// next resets the limit for the next token.
func (b *tokenLimit) next() { b.left = 2 * statfile.MostCell }

// ReadByte implements io.ByteReader.
func (b *tokenLimit) ReadByte() (byte, error) {
	if b.left--; b.left < 0 {
		return 0, errLong
	}
	return b.Reader.ReadByte()
}
