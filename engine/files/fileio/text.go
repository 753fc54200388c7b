package fileio

import (
	"context"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// delimitedText is the type of delimited text files, the default of Format.Type.
const delimitedText = "text"

// text is a type of text file: delimited, or described by a mu-Argus description. Its value is the type.
type text string

var _ kind = text("")

func (k text) info() statfile.Info { return statfile.Info{Name: string(k), Packed: true} }

// recognise accepts files with a description of the type or, for delimited text, anything not recognised as
// something else. If necessary it reads the whole file to distinguish UTF-8 from Windows-1252.
func (k text) recognise(ctx context.Context, in *input, meter *progress.Meter) (f Format, ok bool, err error) {
	if k != delimitedText {
		f, found, err := in.descriptionFormat()
		return f, found && f.Type == string(k), err
	}
	if otherProgram(in.head) != "" {
		return f, false, nil
	}
	f = Guess(in.head)
	if f.Encoding != UTF8 {
		return f, true, nil
	}
	valid, err := validUTF8(ctx, in.metered(meter))
	if err != nil {
		return f, true, unreadable(in.name, err)
	}
	if !valid {
		f.Encoding = Windows1252
	}
	return f, true, nil
}

// validUTF8 reports whether a whole text is UTF-8. It stops after too many empty lines.
func validUTF8(ctx context.Context, text io.Reader) (bool, error) {
	buffer := make([]byte, 1<<18)
	kept, empty := 0, 0
	for ctx.Err() == nil {
		n, err := text.Read(buffer[kept:])
		part := buffer[:kept+n]
		if !onlyBreaks(part) {
			empty = 0
		} else if empty += n; empty > mostEmpty+2*defaultBlock {
			return true, nil
		}
		rest := part[wholeUTF8(part):]
		if utf8.FullRune(rest) {
			return false, nil
		}
		kept = copy(buffer, rest)
		if errors.Is(err, io.EOF) {
			return kept == 0, nil
		}
		if err != nil {
			return false, err
		}
	}
	return false, ctx.Err()
}

func (text) options(f *Format) []Option {
	decimal := chosen("decimal mark", "Character before the decimals of a number.", &f.Decimal,
		statfile.Choices(".", "point .", ",", "comma ,"))
	encoding := chosen("encoding", "Character encoding of the file.", &f.Encoding, statfile.Plain(Encodings()...))
	if f.described() {
		return []Option{{Name: "description", Get: func() string { return f.String() },
			Help: "Layout of the variables, from the description (.rda) next to the file. Rename the description to read the " +
				"file without it."},
			decimal, encoding}
	}
	return []Option{
		chosen("delimiter", "Character between two fields.", &f.Delimiter,
			statfile.Choices(",", "comma ,", ";", "semicolon ;", "\t", "tab", "|", "bar |", " ", "blank")),
		decimal,
		chosen("quote", "Character around fields that contain a delimiter or a line break.", &f.Quote,
			statfile.Choices(`"`, `double "`, "'", "single '", NoQuote, "none")),
		encoding,
		{Name: "first line", Help: "Whether the first line contains the variable names.",
			Choices: statfile.Plain("names", "a record"),
			Get:     func() string { return map[bool]string{true: "names", false: "a record"}[f.Header] },
			Set:     func(value string) error { f.Header = value == "names"; return nil }},
		{Name: "missing codes", Label: "missing-value codes",
			Help: "Missing-value codes in addition to the empty field, separated by spaces (in --missing by commas), such as NA -9. No other code counts as missing.",
			Get:  func() string { return strings.TrimSpace(strings.Join(f.Missing, " ")) },
			Set: func(text string) error {
				changed := *f
				changed.Missing = append([]string{""}, strings.Fields(text)...)
				if err := changed.Validate(); err != nil {
					return err
				}
				*f = changed
				return nil
			}},
	}
}

// chosen returns an option with a fixed set of values.
func chosen(name, help string, value *string, choices []Choice) Option {
	return Option{Name: name, Help: help, Choices: choices, Get: func() string { return *value },
		Set: func(text string) error {
			*value = text
			return nil
		}}
}

// check returns an error for a file that is not text. A file with a description is text.
func (k text) check(in *input) error {
	if k == delimitedText && otherProgram(in.head) != "" {
		return in.notText()
	}
	return nil
}

func (k text) read(ctx context.Context, in *input, f Format,
	meter *progress.Meter) (*microdata.Dataset, *ReadReport, error) {
	if err := k.check(in); err != nil {
		return nil, nil, err
	}
	in.readCodeLists(ctx, f)
	return readText(ctx, *in, f, readTuning{}, meter)
}
