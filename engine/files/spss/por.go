package spss

import (
	"bytes"
	"context"
	"math"
	"strconv"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Portable is the read-only format of portable files, .por. Its numbers are in base 30, so the last bits of some
// differ from the original.
type Portable struct{}

var _ statfile.Format = Portable{}

// Info describes the file type: its encoding is not declared.
func (Portable) Info() statfile.Info {
	return statfile.Info{Name: "por", Program: "an SPSS portable file (por)", Encoded: true, Declares: true}
}

// Parts of a portable file before the records.
const (
	splashSize = 200
	tableSize  = 256
	portMark   = "SPSSPORT"
	portLine   = 80
)

// portableSet lists the characters of the table from firstPortable on.
const (
	firstPortable = 64
	portableSet   = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz .<(+|&[]!$*);^-/\x00,%_>?`:#@'=\""
)

// splash begins the lines of 40 characters before the table; programs that omit the first line fill it with zeros.
const splash, splashLine = "ASCII SPSS PORT FILE", 40

// Recognise checks the signature after the character table; a file truncated before it is recognised by its first
// lines.
func (Portable) Recognise(_ context.Context, in *statfile.Source) (statfile.Settings, bool, error) {
	p := &portable{in: in}
	p.start()
	const enough = len("ASCII SPSS")
	head := bytes.TrimPrefix(in.Head(), bytes.Repeat([]byte("0"), splashLine))
	cut := in.Size() < splashSize+tableSize+2*portLine && len(head) >= enough &&
		bytes.HasPrefix([]byte(splash), head[:min(len(head), len(splash))])
	return nil, p.err == nil || cut, nil
}

// ahead is the number of bytes read at a time.
const ahead = 1 << 16

// more drops the taken content and appends the next lines of the file, padded to their full length. It returns
// false at the end of the file, or after an error.
func (p *portable) more() bool {
	n := min(int64(ahead), p.in.Size()-p.read)
	if p.err != nil || n <= 0 {
		return false
	}
	if p.raw, p.err = p.in.BytesIn(p.raw, p.read, n); p.err != nil {
		return false
	}
	p.read, p.taken = p.read+n, p.taken+p.at
	p.content, p.at = append(p.content[:0], p.content[p.at:]...), 0
	for _, b := range p.raw {
		switch {
		case b == '\n':
			for ; p.column < portLine && p.column > 0; p.column++ {
				p.content = append(p.content, p.to[' '])
			}
			p.column = 0
		case b != '\r':
			p.content = append(p.content, p.to[b])
			p.column++
		}
	}
	return true
}

// has reports whether at least n characters follow.
func (p *portable) has(n int) bool {
	for n > len(p.content)-p.at {
		if !p.more() {
			return false
		}
	}
	return true
}

// is reports whether b is the next character.
func (p *portable) is(b byte) bool { return p.has(1) && p.content[p.at] == b }

// ended reports whether the whole file was taken.
func (p *portable) ended() bool { return p.at == len(p.content) && p.read == p.in.Size() }

// start reads the file up to the signature, and decodes the rest to ASCII with the character table, which some
// programs pad with zeros. Other bytes are unchanged.
func (p *portable) start() {
	for i := range p.to {
		p.to[i] = byte(i)
	}
	p.take(splashSize)
	var set [256]bool
	to := p.to
	if table := p.take(tableSize); table != nil {
		for i := range portableSet {
			if from := table[firstPortable+i]; !set[from] && portableSet[i] != 0 {
				set[from], to[from] = true, portableSet[i]
			}
		}
	}
	p.to = to
	for i := p.at; i < len(p.content); i++ {
		p.content[i] = to[p.content[i]]
	}
	if mark := p.take(len(portMark)); string(mark) != portMark {
		p.fail("the start of a portable file is expected")
	}
}

// portable parses the records of a portable file.
type portable struct {
	in       *statfile.Source
	raw      []byte    // reused memory
	read     int64     // bytes read so far
	column   int       // in the current line
	to       [256]byte // characters by byte
	content  []byte    // decoded characters
	at       int       // index of the next character in content
	taken    int       // characters before content
	aside    int64     // memory of variables and value labels in bytes
	err      error
	charset  *statfile.Charset
	f        *statfile.File
	variable map[string]int
	counting bool // only count: keep the last variable only, and stop before value labels
	count    int64
}

// Read reads a portable file.
func (Portable) Read(ctx context.Context, in *statfile.Source, o statfile.ReadOptions,
	meter *progress.Meter) (*statfile.File, error) {
	meter.Start(in.Size())
	charset, err := in.Charset(o.Encoding)
	if err != nil {
		return nil, err
	}
	var p *portable
	for _, counting := range []bool{true, false} { // so that too many variables are not kept
		p = &portable{in: in, charset: charset, f: &statfile.File{Settings: statfile.Settings{}},
			variable: map[string]int{}, counting: counting}
		p.start()
		p.take(1) // version
		p.text()  // date and time
		p.text()
		if p.dictionary(); p.err != nil {
			return nil, p.err
		}
	}
	if err := p.rows(ctx, o, meter); err != nil {
		return nil, err
	}
	return p.f, nil
}

func (p *portable) fail(sentence string) {
	if p.err == nil {
		p.err = p.in.Failure(statfile.ErrDamaged, "character %s: %s: the file is truncated or damaged",
			wording.Number(p.taken+p.at+1), sentence)
	}
}

func (p *portable) take(n int) []byte {
	if n > statfile.MostCell {
		p.fail("a text exceeds " + statfile.Megabytes(statfile.MostCell))
	}
	if p.err != nil || n < 0 || !p.has(n) {
		p.fail("the file ends too soon")
		return nil
	}
	p.at += n
	return p.content[p.at-n : p.at]
}

// Base of the numbers, and an exponent for which its power does not overflow.
const (
	base      = 30
	mostPower = 200
)

func portDigit(b byte) int {
	switch {
	case b >= '0' && b <= '9':
		return int(b - '0')
	case b >= 'A' && b <= 'T':
		return int(b-'A') + 10
	default:
		return -1
	}
}

// number parses a number: spaces, a sign, digits with a point, an exponent, a slash; "*." is missing.
func (p *portable) number() float64 {
	for p.is(' ') {
		p.at++
	}
	if p.is('*') && p.has(2) {
		p.at += 2
		return math.NaN()
	}
	sign, value, exponent, digits := 1.0, 0.0, 0, 0
	if p.is('-') {
		sign = -1
		p.at++
	}
	point := false
	for ; p.has(1); p.at++ {
		b := p.content[p.at]
		if digit := portDigit(b); digit >= 0 {
			value = value*base + float64(digit)
			if digits++; point {
				exponent--
			}
		} else if b == '.' && !point {
			point = true
		} else {
			break
		}
	}
	if p.is('+') || p.is('-') {
		exponent += p.exponent()
	}
	if end := p.take(1); end != nil && (end[0] != '/' || digits == 0) {
		p.at--
		p.fail("a number is expected")
	}
	for ; exponent < -mostPower; exponent += mostPower { // a higher power would overflow
		value /= math.Pow(base, mostPower)
	}
	if exponent < 0 {
		return sign * value / math.Pow(base, float64(-exponent))
	}
	return sign * value * math.Pow(base, float64(exponent))
}

func (p *portable) exponent() int {
	negative := p.content[p.at] == '-'
	n := 0
	for p.at++; p.has(1) && portDigit(p.content[p.at]) >= 0; p.at++ {
		n = min(n*base+portDigit(p.content[p.at]), 1<<16)
	}
	if negative {
		return -n
	}
	return n
}

// whole parses a nonnegative integer.
func (p *portable) whole() int {
	x := p.number()
	if !(x >= 0 && x <= math.MaxInt32) || x != math.Trunc(x) {
		p.fail("an integer is expected")
		return 0
	}
	return int(x)
}

// text parses a text, preceded by its length, without trailing spaces.
func (p *portable) text() string { return string(bytes.TrimRight(p.take(p.whole()), " ")) }

// dictionary parses the records before the data.
func (p *portable) dictionary() {
	for p.err == nil {
		tag := p.take(1)
		if tag == nil || p.counting && tag[0] == 'D' {
			return
		}
		switch tag[0] {
		case '1', '2', '3':
			p.text()
		case '4', '5':
			p.whole()
		case '6':
			p.f.Weight = p.charset.Decode(p.text())
		case '7':
			p.addVariable()
		case '8', '9', 'A', 'B', 'C':
			if len(p.f.Variables) == 0 {
				p.fail("a record describes a variable before its definition")
				return
			}
			p.about(tag[0], &p.f.Variables[len(p.f.Variables)-1])
		case 'D':
			p.valueLabels()
		case 'E':
			for range p.whole() {
				if p.f.Notes = append(p.f.Notes, p.charset.Decode(p.text())); p.err != nil {
					return
				}
			}
		case 'F':
			if len(p.f.Variables) == 0 {
				p.fail("the file has no variables")
			}
			return
		default:
			p.at--
			p.fail("unknown record type")
		}
	}
}

// portableCode returns the type code of a format in system files: in portable files, SPSS writes higher codes for
// dates, times and later types.
func portableCode(code int) byte {
	const higher = 82
	if code >= formatDate+higher && formatNames[byte(code-higher)] != "" {
		code -= higher
	}
	return byte(code)
}

func (p *portable) addVariable() {
	width, name := p.whole(), p.text()
	format := displayFormat{code: portableCode(p.whole()), width: p.whole(), decimals: p.whole()}
	for range 3 {
		p.whole() // write format
	}
	if width > longestText {
		p.fail("a text variable has an impossible width")
	}
	v := statfile.Variable{Name: p.charset.Decode(name), Width: width, Format: format.String(), Kind: format.kind()}
	if width > 0 {
		v.Kind, v.Format = statfile.Text, "A"+strconv.Itoa(width)
	} else {
		v.Width = format.width
	}
	const ofEach = 500
	p.keep(ofEach + int64(len(name)))
	if p.count++; p.err == nil {
		p.err = p.in.CheckVariables(p.count)
	}
	if p.counting {
		p.f.Variables = append(p.f.Variables[:0], v)
		return
	}
	p.variable[name] = len(p.f.Variables)
	p.f.Variables = append(p.f.Variables, v)
}

// keep counts the memory in bytes of data other than records.
func (p *portable) keep(bytes int64) {
	if p.aside += bytes; p.err == nil {
		p.err = p.in.Aside(p.aside)
	}
}

// value parses a value of a variable.
func (p *portable) value(v *statfile.Variable) statfile.Value {
	if v.Kind == statfile.Text {
		return statfile.Value{Text: p.charset.Decode(p.text()), IsText: true}
	}
	return statfile.Value{Number: neutral(v.Kind, p.number())}
}

// about parses a label or a declared missing value of a variable.
func (p *portable) about(tag byte, v *statfile.Variable) {
	switch tag {
	case '8':
		v.Missing = append(v.Missing, p.value(v))
	case '9':
		v.MissingRange = &statfile.Range{From: math.Inf(-1), To: p.value(v).Number}
	case 'A':
		v.MissingRange = &statfile.Range{From: p.value(v).Number, To: math.Inf(1)}
	case 'B':
		from := p.value(v).Number
		v.MissingRange = &statfile.Range{From: from, To: p.value(v).Number}
	default:
		v.Label = p.charset.Decode(p.text())
	}
}

func (p *portable) valueLabels() {
	var of []int
	for range p.whole() {
		i, known := p.variable[p.text()]
		if !known {
			p.fail("labels refer to a variable that does not exist")
		}
		if p.err != nil {
			return
		}
		of = append(of, i)
	}
	if len(of) == 0 {
		p.fail("labels refer to no variable")
		return
	}
	var labels []statfile.ValueLabel
	for range p.whole() {
		value, label := p.value(&p.f.Variables[of[0]]), p.charset.Decode(p.text())
		if p.keep(int64(len(of)) * statfile.LabelBytes); p.err != nil {
			return
		}
		labels = append(labels, statfile.ValueLabel{Value: value, Label: label})
	}
	for _, i := range of {
		p.f.Variables[i].Labels = append(p.f.Variables[i].Labels, labels...)
	}
}

// rows parses the data, which ends with Z.
func (p *portable) rows(ctx context.Context, o statfile.ReadOptions, meter *progress.Meter) error {
	all := p.f.Variables
	texts, numbers := make([]*statfile.Dictionary, len(all)), int64(0)
	for i := range all {
		if all[i].Kind == statfile.Text {
			texts[i] = statfile.NewDictionary(0)
		} else {
			numbers++
		}
	}
	for ; ; p.f.Rows++ {
		if p.f.Rows%1024 == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			meter.Set(p.read, p.in.Size())
		}
		if !p.has(1) {
			p.f.Truncated = "the file ends after " + wording.Counted(p.f.Rows, "record") +
				" without its end mark: it is truncated"
			break
		}
		if p.content[p.at] == 'Z' || o.Rows > 0 && p.f.Rows == o.Rows {
			break
		}
		for i := range all {
			if texts[i] != nil {
				texts[i].Add(bytes.TrimRight(p.take(p.whole()), " "))
				continue
			}
			value := p.number()
			if value != value {
				value = statfile.Missing()
			} else {
				value = neutral(all[i].Kind, value)
			}
			all[i].Column.Numbers = append(all[i].Column.Numbers, value)
		}
		if p.err != nil && p.ended() {
			p.f.Truncated = "the file ends within record " + wording.Number(p.f.Rows+1) + ": it is truncated"
			break
		}
		if p.err == nil {
			p.err = p.in.Take(8 * numbers)
		}
		if p.err != nil {
			return p.err
		}
	}
	if p.f.Total = p.f.Rows; o.Rows > 0 && p.f.Rows == o.Rows {
		p.f.Total = -1
	}
	return p.finish(ctx, o, all, texts)
}

// finish cuts the columns to whole rows and removes those that are not selected.
func (p *portable) finish(ctx context.Context, o statfile.ReadOptions, all []statfile.Variable,
	texts []*statfile.Dictionary) error {
	p.f.Variables = nil
	for i := range all {
		if !o.Wants(all[i].Name) {
			continue
		}
		if texts[i] != nil {
			texts[i].Cut(p.f.Rows)
			blocks := statfile.NewBlocks(p.in, 1, p.f.Rows, false, p.charset.Decode)
			blocks.Put(0, 0, statfile.Column{Texts: texts[i].Texts()})
			columns, err := blocks.Columns(ctx, func(int) bool { return true })
			if err != nil {
				return err
			}
			all[i].Column = columns[0]
		} else {
			all[i].Column.Numbers = all[i].Column.Numbers[:p.f.Rows:p.f.Rows]
		}
		p.f.Variables = append(p.f.Variables, all[i])
	}
	p.f.Warnings, p.f.Encoding = p.charset.Warnings(), p.charset.Name()
	return nil
}
