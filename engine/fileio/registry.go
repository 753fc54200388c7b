package fileio

import (
	"context"
	"io"

	"github.com/sdcdesk/sdcdesk/engine/microdata"
	"github.com/sdcdesk/sdcdesk/engine/progress"
)

// Reader reads one kind of file. A new kind is a file with a Reader and a line
// in Readers.
type Reader interface {
	Name() string                // of the kind of file: "text"
	Recognises(head []byte) bool // whether a file that starts so is of this kind
	Guess(head []byte) Format

	read(ctx context.Context, in input, f Format, meter *progress.Meter) (*microdata.Dataset, *ReadReport, error)
}

// Writer writes one kind of file. A new kind is a file with a Writer and a line
// in Writers.
type Writer interface {
	Name() string // of the kind of file, as in Format.Type

	write(ctx context.Context, w io.Writer, d *microdata.Dataset, f Format, o WriteOptions, meter *progress.Meter) (*WriteReport, error)
}

// Writers returns all writers; the first one is for formats that name none.
func Writers() []Writer {
	return []Writer{textWriting{}, describedWriting{Fixed}, describedWriting{Free}}
}

// writerOf returns the writer of a format; the error wraps ErrFormat.
func writerOf(f Format) (Writer, error) {
	writers := Writers()
	for _, writer := range writers {
		if f.Type == writer.Name() {
			return writer, nil
		}
	}
	if f.Type == "" {
		return writers[0], nil
	}
	return nil, failure(ErrFormat, "files of type %q cannot be written; leave the type out to write text", f.Type)
}

// Readers returns all readers in the order in which they are asked.
func Readers() []Reader {
	return []Reader{textReader{}}
}

// readerOf returns the reader of a file; the error wraps ErrNotText. What a
// description describes is text.
func readerOf(in input, f Format) (Reader, error) {
	if f.described() {
		return textReader{}, nil
	}
	for _, reader := range Readers() {
		if reader.Recognises(in.head) {
			return reader, nil
		}
	}
	return nil, failure(ErrNotText, "%s looks like %s; this version reads text files: export the data as CSV from the program that wrote it", in.name, otherProgram(in.head))
}

// textReader reads text files with delimiters.
type textReader struct{}

var _ Reader = textReader{}

// Name returns "text".
func (textReader) Name() string { return "text" }

// Recognises reports whether the head is not that of a known other kind.
func (textReader) Recognises(head []byte) bool { return otherProgram(head) == "" }

// Guess returns the format that the head suggests.
func (textReader) Guess(head []byte) Format { return Guess(head) }

func (textReader) read(ctx context.Context, in input, f Format, meter *progress.Meter) (*microdata.Dataset, *ReadReport, error) {
	return readText(ctx, in, f, tuning{}, meter)
}

// textWriting writes text files with delimiters.
type textWriting struct{}

var _ Writer = textWriting{}

// Name returns "text".
func (textWriting) Name() string { return "text" }

func (textWriting) write(ctx context.Context, w io.Writer, d *microdata.Dataset, f Format, o WriteOptions, meter *progress.Meter) (*WriteReport, error) {
	return writeText(ctx, w, d, f, o, meter)
}
