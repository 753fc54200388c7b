package fileio

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// codebook holds the descriptions of variables from a separate file, by name.
type codebook map[string]*microdata.Description

// mostCodebook is the maximum size of a codebook in bytes.
const mostCodebook = 256 << 20

// readCodebook reads a codebook: DDI-Codebook XML, or CSV with a header of the columns variable, label, value,
// value_label and missing in any order. A line of CSV without a value describes the variable, other lines describe
// one of its values; missing is yes for a missing code. Errors are complete sentences.
func readCodebook(ctx context.Context, path string) (codebook, error) {
	file, size, err := openOrdinary(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if size > mostCodebook {
		return nil, failure(ErrFormat, "%s has %s, too large for a codebook", path, statfile.Megabytes(size))
	}
	content, err := io.ReadAll(io.LimitReader(file, mostCodebook))
	if err != nil {
		return nil, unreadable(path, err)
	}
	return parseCodebook(ctx, filepath.Base(path), content)
}

// parseCodebook parses the content of a codebook.
func parseCodebook(ctx context.Context, name string, content []byte) (codebook, error) {
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	book, err := codebook{}, error(nil)
	if bytes.HasPrefix(bytes.TrimSpace(content), []byte("<")) {
		err = book.readDDI(contextReader{bytes.NewReader(content), ctx})
	} else {
		first, _, _ := bytes.Cut(content, []byte("\n"))
		err = book.readCSV(contextReader{bytes.NewReader(content), ctx},
			bytes.Count(first, []byte(";")) > bytes.Count(first, []byte(",")))
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, failure(ErrFormat, "reading %s as a codebook: %v", name, err)
	case len(book) == 0:
		return nil, failure(ErrFormat, "%s describes no variable", name)
	}
	return book, nil
}

// of returns the description of a variable, which it adds if needed.
func (b codebook) of(name string) *microdata.Description {
	if b[name] == nil {
		b[name] = &microdata.Description{}
	}
	return b[name]
}

func (b codebook) value(name, code, label string, missing bool) {
	if code == "" || label == "" && !missing {
		return // no value or no label
	}
	d := b.of(name)
	if label != "" {
		if d.Labels == nil {
			d.Labels = map[string]string{}
		}
		d.Labels[code] = label
	}
	if missing && !slices.Contains(d.Missing, code) {
		d.Missing = append(d.Missing, code)
	}
}

func (b codebook) readCSV(content io.Reader, semicolons bool) error {
	r := csv.NewReader(content)
	r.FieldsPerRecord = -1
	if semicolons {
		r.Comma = ';'
	}
	head, err := r.Read()
	if err != nil {
		return errors.New("the first line is not valid CSV")
	}
	place := func(name string) int {
		return slices.IndexFunc(head, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), name) })
	}
	variable, label, value, valueLabel, missing := place("variable"), place("label"), place("value"), place("value_label"), place("missing")
	if variable < 0 || label < 0 && valueLabel < 0 && missing < 0 {
		return errors.New("the first line must name the columns variable and label")
	}
	for {
		line, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			line := 0
			if wrong := new(csv.ParseError); errors.As(err, &wrong) {
				line = wrong.StartLine
			}
			return errors.New("line " + wording.Number(line) + " is not valid CSV")
		}
		cell := func(at int) string {
			if at < 0 || at >= len(line) {
				return ""
			}
			return strings.TrimSpace(line[at])
		}
		name := cell(variable)
		if name == "" {
			continue
		}
		if text := cell(label); text != "" {
			b.of(name).Label = text
		}
		if code := cell(value); code != "" {
			b.value(name, code, cell(valueLabel), slices.Contains([]string{"yes", "y", "1", "true", "x"},
				strings.ToLower(cell(missing))))
		}
	}
}

// ddiVariable is a variable in DDI-Codebook.
type ddiVariable struct {
	Name       string   `xml:"name,attr"`
	Labels     []string `xml:"labl"`
	Categories []struct {
		Missing string   `xml:"missing,attr"`
		Value   string   `xml:"catValu"`
		Labels  []string `xml:"labl"`
	} `xml:"catgry"`
	Invalid []struct {
		Value string `xml:"VALUE,attr"`
	} `xml:"invalrng>item"`
	Ranges []ddiRange `xml:"invalrng>range"`
}

// ddiRange is a range of missing values.
type ddiRange struct {
	Min   string `xml:"min,attr"`
	Above string `xml:"minExclusive,attr"`
	Max   string `xml:"max,attr"`
	Below string `xml:"maxExclusive,attr"`
}

// codes returns the integers in the range, because the cells of a text file are compared with codes; ok is false
// if an end is not an integer or if there are more than a variable can have.
func (r ddiRange) codes() ([]string, bool) {
	end := func(at, beyond string, step int) (int, bool) {
		text := at
		if strings.TrimSpace(text) == "" {
			text = beyond
		} else {
			step = 0
		}
		n, err := strconv.Atoi(strings.TrimSpace(text))
		return n + step, err == nil && -maxCode < n && n < maxCode
	}
	low, lowKnown := end(r.Min, r.Above, 1)
	high, highKnown := end(r.Max, r.Below, -1)
	if !lowKnown || !highKnown || high < low || high-low >= maxMissing {
		return nil, false
	}
	var codes []string
	for code := low; code <= high; code++ {
		codes = append(codes, strconv.Itoa(code))
	}
	return codes, true
}

// maxCode limits the ends of ranges, so that they can be counted.
const maxCode = 1 << 53

func (b codebook) readDDI(content io.Reader) error {
	d := xml.NewDecoder(bufio.NewReader(content))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return errors.New("the XML is not valid")
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "var" {
			continue
		}
		var v ddiVariable
		if err := d.DecodeElement(&v, &start); err != nil {
			return errors.New("the XML is not valid")
		}
		first := func(labels []string) string {
			if len(labels) == 0 {
				return ""
			}
			return strings.Join(strings.Fields(labels[0]), " ")
		}
		if v.Name == "" {
			continue
		}
		if label := first(v.Labels); label != "" {
			b.of(v.Name).Label = label
		}
		for _, c := range v.Categories {
			b.value(v.Name, strings.TrimSpace(c.Value), first(c.Labels), strings.HasPrefix(strings.ToLower(c.Missing), "y"))
		}
		for _, item := range v.Invalid {
			b.value(v.Name, strings.TrimSpace(item.Value), "", true)
		}
		for _, r := range v.Ranges {
			codes, ok := r.codes()
			if !ok {
				return errors.New("the range of missing values of variable " + quotedName(v.Name) +
					" must have integers as its ends and contain at most " +
					wording.Number(maxMissing) + " codes; list the codes as items instead")
			}
			for _, code := range codes {
				b.value(v.Name, code, "", true)
			}
		}
	}
}

// lay applies a codebook to the variables of a text file; its missing codes apply to their variable only.
func (r *readState) lay(ctx context.Context) error {
	if r.format.Codebook == "" || r.format.described() {
		return nil
	}
	book, err := readCodebook(ctx, r.format.Codebook)
	if err != nil {
		return err
	}
	r.book = book
	found := false
	for i, name := range r.names {
		said := book[name]
		if said == nil {
			continue
		}
		found = true
		if len(said.Missing) > 0 {
			own := *r.variables[i].dialect
			own.codes = slices.Clone(own.codes)
			if own.addCodes(said.Missing); len(own.codes) > maxMissing {
				return failure(ErrFormat, "%s declares %s for variable %s; together with those of the file, at most %d are allowed",
					filepath.Base(r.format.Codebook), wording.Counted(len(said.Missing), "missing-value code"), quotedName(name), maxMissing)
			}
			r.variables[i].dialect = &own
		}
	}
	if !found {
		return failure(ErrFormat, "%s describes none of the variables of %s; check that the names are the same",
			filepath.Base(r.format.Codebook), r.name)
	}
	return nil
}
