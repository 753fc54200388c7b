package spreadsheet

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// scanner passes over XML that programs write, without taking memory for it: names
// are without their spaces, entities are those of XML, text is UTF-8.
type scanner struct {
	r     *bufio.Reader
	names map[string]string // so that a name is one string
	tag   []byte
	text  []byte
	attrs []attr
	depth int
}

// attr is an attribute; its value is good until the next element.
type attr struct {
	space, name string
	value       []byte
}

// errXML is the error of content that is no XML, or none that is read.
var errXML = errors.New("no XML")

// errLong is the error of a text or an element that is longer than is read.
var errLong = errors.New("longer than is read")

func newScanner(r io.Reader) *scanner {
	return &scanner{r: bufio.NewReaderSize(r, 1<<16), names: map[string]string{}}
}

// element is what the scanner found after some text.
type element struct {
	name       string
	start, end bool // both for an element without content
}

// next returns the text before the next element, and the element; io.EOF after the
// last.
func (s *scanner) next() (text []byte, e element, err error) {
	s.text = s.text[:0]
	for {
		if err := s.upTo('<'); err != nil {
			if errors.Is(err, io.EOF) && s.depth != 0 {
				err = errXML
			}
			return nil, element{}, err
		}
		s.tag = s.tag[:0]
		content, err := s.untilClosed()
		if errors.Is(err, errLong) {
			return nil, element{}, err
		}
		if err != nil {
			return nil, element{}, errXML
		}
		switch {
		case len(content) == 0:
			return nil, element{}, errXML
		case content[0] == '?' || content[0] == '!':
			continue
		case content[0] == '/':
			s.depth--
			return s.text, element{name: s.local(bytes.TrimSpace(content[1:])), end: true}, nil
		}
		e := element{start: true}
		if content[len(content)-1] == '/' {
			content, e.end = content[:len(content)-1], true
		} else {
			s.depth++
		}
		e.name, err = s.opened(content)
		return s.text, e, err
	}
}

// upTo adds text up to a sign, without it.
func (s *scanner) upTo(sign byte) error {
	from := len(s.text)
	for {
		piece, err := s.r.ReadSlice(sign)
		if s.text = append(s.text, piece...); len(s.text) > statfile.MostCell+1 {
			return errLong
		}
		if err == nil {
			s.text = s.text[:len(s.text)-1]
			break
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
	s.text = unentitied(s.text, from)
	return nil
}

// untilClosed returns a tag up to its end. The content of CDATA becomes text.
func (s *scanner) untilClosed() ([]byte, error) {
	quote := byte(0) // that of the value of an attribute which is not closed
	for {
		piece, err := s.r.ReadSlice('>')
		if s.tag = append(s.tag, piece...); len(s.tag) > 2*statfile.MostCell {
			return nil, errLong
		}
		if len(s.tag) > 0 && s.tag[0] != '?' && s.tag[0] != '!' {
			if quote = quoted(piece, quote); quote != 0 && bytes.IndexByte(piece, '<') >= 0 {
				return nil, errXML // no value has one: a quote is missing
			}
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			return nil, err
		}
		content := s.tag[:len(s.tag)-1]
		switch {
		case bytes.HasPrefix(content, []byte("!--")):
			if len(content) < 5 || !bytes.HasSuffix(content, []byte("--")) {
				continue
			}
		case bytes.HasPrefix(content, []byte("![CDATA[")):
			if !bytes.HasSuffix(content, []byte("]]")) {
				continue
			}
			s.text = append(s.text, content[len("![CDATA["):len(content)-2]...)
		case quote != 0:
			continue
		}
		return content, nil
	}
}

// quoted returns the quote that is open after a piece of a tag, where one may have
// been open before it.
func quoted(piece []byte, quote byte) byte {
	for _, b := range piece {
		switch {
		case quote == 0 && (b == '"' || b == '\''):
			quote = b
		case b == quote:
			quote = 0
		}
	}
	return quote
}

// opened reads a tag's name and attributes.
func (s *scanner) opened(tag []byte) (string, error) {
	s.attrs = s.attrs[:0]
	end := bytes.IndexAny(tag, " \t\r\n")
	if end < 0 {
		return s.local(tag), nil
	}
	name, rest := s.local(tag[:end]), tag[end:]
	for {
		rest = bytes.TrimLeft(rest, " \t\r\n")
		if len(rest) == 0 {
			return name, nil
		}
		equals := bytes.IndexByte(rest, '=')
		if equals < 0 {
			return name, errXML
		}
		key := bytes.TrimRight(rest[:equals], " \t\r\n")
		rest = bytes.TrimLeft(rest[equals+1:], " \t\r\n")
		if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
			return name, errXML
		}
		stop := bytes.IndexByte(rest[1:], rest[0])
		if stop < 0 {
			return name, errXML
		}
		a := attr{name: s.local(key), value: unentitied(rest[1:1+stop], 0)}
		if colon := bytes.IndexByte(key, ':'); colon > 0 {
			a.space = s.one(key[:colon])
		}
		s.attrs = append(s.attrs, a)
		rest = rest[stop+2:]
	}
}

// local returns a name without its space.
func (s *scanner) local(name []byte) string {
	return s.one(name[bytes.IndexByte(name, ':')+1:])
}

// one returns a name as a string; the few that there are, are made once.
func (s *scanner) one(name []byte) string {
	if known, ok := s.names[string(name)]; ok {
		return known
	}
	const most, longest = 1000, 100
	made := string(name)
	if len(s.names) < most && len(name) < longest {
		s.names[made] = made
	}
	return made
}

// unentitied replaces the entities in a text from a place on.
func unentitied(text []byte, from int) []byte {
	if bytes.IndexByte(text[from:], '&') < 0 {
		return text
	}
	out := append([]byte(nil), text[:from]...)
	rest := text[from:]
	for {
		at := bytes.IndexByte(rest, '&')
		end := -1
		if at >= 0 {
			end = bytes.IndexByte(rest[at:min(len(rest), at+12)], ';')
		}
		if end < 0 {
			return append(out, rest...)
		}
		out = append(out, rest[:at]...)
		out = appendEntity(out, rest[at:at+end+1])
		rest = rest[at+end+1:]
	}
}

func appendEntity(out, entity []byte) []byte {
	name := string(entity[1 : len(entity)-1])
	switch name {
	case "lt":
		return append(out, '<')
	case "gt":
		return append(out, '>')
	case "amp":
		return append(out, '&')
	case "quot":
		return append(out, '"')
	case "apos":
		return append(out, '\'')
	}
	digits, base := strings.TrimPrefix(name, "#"), 10
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	code, err := strconv.ParseUint(digits, base, 21)
	if err != nil || name[0] != '#' {
		return append(out, entity...)
	}
	return utf8.AppendRune(out, rune(code))
}
