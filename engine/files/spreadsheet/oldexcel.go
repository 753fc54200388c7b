package spreadsheet

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/richardlehane/mscfb"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// OldExcel reads workbooks of Excel 5 to 2003 (.xls).
type OldExcel struct{}

// Info describes the file type.
func (OldExcel) Info() statfile.Info {
	return statfile.Info{Name: "xls", Program: "an old Excel workbook (xls)", Options: options}
}

// compoundMagic is the signature of compound files.
const compoundMagic = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

// Recognise reports whether a file is an .xls workbook, and lists its sheets.
func (OldExcel) Recognise(ctx context.Context, in *statfile.Source) (statfile.Settings, bool, error) {
	if !bytes.HasPrefix(in.Head(), []byte(compoundMagic)) {
		return nil, false, nil
	}
	w, err := openOld(ctx, in)
	switch {
	case ctx.Err() != nil:
		return nil, false, ctx.Err()
	case errors.Is(err, errNoWorkbook):
		return nil, false, nil
	case err != nil: // Read reports the error
		return statfile.Settings{}, true, nil
	}
	return suggested(w.names), true, nil
}

// Read reads a sheet.
func (OldExcel) Read(ctx context.Context, in *statfile.Source, o statfile.ReadOptions,
	meter *progress.Meter) (*statfile.File, error) {
	meter.Start(in.Size())
	w, err := openOld(ctx, in)
	if errors.Is(err, errNoWorkbook) {
		return nil, in.Failure(statfile.ErrUnsupported, "the file contains no workbook")
	}
	if err != nil {
		return nil, err
	}
	at, err := chosen(in, w.names, o.Settings)
	if err != nil {
		return nil, err
	}
	g := newGrid(in, &o)
	if err := w.sheet(ctx, w.places[at], g); err != nil {
		return nil, err
	}
	meter.Set(in.Size(), in.Size())
	f, err := g.file(w.names, at)
	if err != nil {
		return nil, err
	}
	f.Settings = statfile.Settings{sheetSetting: w.names[at]}
	return f, nil
}

// oldWorkbook is a workbook as a sequence of records.
type oldWorkbook struct {
	workbook
	content []byte
	places  []uint32 // offsets of the sheets
	older   bool     // Excel 5 or 95, with texts in a code page
	charset *statfile.Charset
}

var errNoWorkbook = errors.New("no workbook")

// limitedReader limits how much of a file is read for its directory.
type limitedReader struct {
	*statfile.Source
	left int
}

// ReadAt implements io.ReaderAt.
func (o *limitedReader) ReadAt(p []byte, at int64) (int, error) {
	if o.left -= len(p); o.left < 0 {
		return 0, io.ErrUnexpectedEOF
	}
	return o.Source.ReadAt(p, at)
}

// openOld reads the records before the sheets of a workbook.
func openOld(ctx context.Context, in *statfile.Source) (*oldWorkbook, error) {
	const mostDirectory = 4 << 20
	content := &limitedReader{in, mostDirectory}
	damaged := in.Failure(statfile.ErrDamaged, "the workbook cannot be opened: it is truncated or damaged")
	compound, err := mscfb.New(content)
	if err != nil {
		return nil, damaged
	}
	w := &oldWorkbook{workbook: workbook{archive: &archive{in: in}, base: days1900}}
	var stream *mscfb.File
	for _, file := range compound.File {
		switch name := file.Name; {
		case len(file.Path) > 0:
		case name == "EncryptedPackage": // contains an encrypted workbook (.xlsx)
			return nil, w.encrypted()
		case name == "Workbook" || name == "Book" && stream == nil:
			stream = file
		}
	}
	if stream == nil {
		return nil, errNoWorkbook
	}
	if stream.Size <= 0 || stream.Size > in.Size() {
		return nil, damaged
	}
	if err := in.Fits(stream.Size); err != nil {
		return nil, err
	}
	content.left = int(min(2*in.Size()+mostDirectory, 1<<40)) // the sectors and their chains
	w.content = make([]byte, stream.Size)
	const atOnce = 1 << 16 // the package takes quadratic time
	for done := 0; done < len(w.content); {
		n, err := stream.Read(w.content[done:min(done+atOnce, len(w.content))])
		if done += n; done < len(w.content) && (err != nil || n == 0) {
			return nil, damaged
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return w, w.globals(ctx)
}

// Types of records and of substreams.
const (
	recordFormula   = 0x0006
	recordEnd       = 0x000a
	recordDates     = 0x0022
	recordEncrypted = 0x002f
	recordContinue  = 0x003c
	recordCodePage  = 0x0042
	recordSheet     = 0x0085
	recordNumbers   = 0x00bd
	recordRich      = 0x00d6
	recordStyle     = 0x00e0
	recordTexts     = 0x00fc
	recordShared    = 0x00fd
	recordNumber    = 0x0203
	recordLabel     = 0x0204
	recordTruth     = 0x0205
	recordText      = 0x0207
	recordShort     = 0x027e
	recordFormat    = 0x041e
	recordBegin     = 0x0809

	wholeWorkbook = 0x0005
	worksheet     = 0x0010
)

// begin reads the beginning of a substream, and reports whether it has a type.
func (w *oldWorkbook) begin(r *records, kind uint16) bool {
	const excel5, excel97 = 0x0500, 0x0600
	if !r.step() || r.kind != recordBegin || len(r.data) < 4 {
		return false
	}
	version := binary.LittleEndian.Uint16(r.data)
	w.older = w.older || version == excel5 && kind == wholeWorkbook // sheets may declare another version
	return (version == excel5 || version == excel97) && binary.LittleEndian.Uint16(r.data[2:]) == kind
}

// globals reads the list of sheets, the shared strings, and which formats show dates and times.
func (w *oldWorkbook) globals(ctx context.Context) error {
	r := &records{content: w.content}
	if !w.begin(r, wholeWorkbook) {
		return w.in.Failure(statfile.ErrUnsupported,
			"the workbook is older than Excel 5, or damaged; save it in a newer format (xlsx)")
	}
	w.charset, _ = statfile.NewCharset("windows-1252")
	own := map[string]cellKind{}
	var styles []string
	for n := 0; r.step() && r.kind != recordEnd; n++ {
		if n%(1<<12) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		d := r.data
		switch {
		case r.kind == recordEncrypted:
			return w.encrypted()
		case r.kind == recordDates && len(d) > 0 && d[0] == 1:
			w.base = days1904
		case r.kind == recordCodePage && len(d) >= 2:
			w.charset = codePage(binary.LittleEndian.Uint16(d), w.charset)
		case r.kind == recordFormat && len(d) > 2:
			id := strconv.Itoa(int(binary.LittleEndian.Uint16(d)))
			r.data = d[2:]
			code, _ := w.text(r, w.older) // an unreadable format shows numbers
			if kind := shownAs(code); kind != numberCell || own[id] == nothing {
				own[id] = kind
			}
		case r.kind == recordStyle && len(d) >= 4:
			styles = append(styles, strconv.Itoa(int(binary.LittleEndian.Uint16(d[2:]))))
		case r.kind == recordSheet && len(d) > 6 && d[5] == 0: // neither chart nor macros
			place := binary.LittleEndian.Uint32(d)
			r.data = d[6:]
			if name, ok := w.text(r, true); ok {
				w.names, w.places = append(w.names, strings.ReplaceAll(name, "\n", " ")), append(w.places, place)
			}
		case r.kind == recordTexts:
			if err := w.shared(ctx, r); err != nil {
				return err
			}
		}
	}
	for _, id := range styles {
		kind, known := own[id]
		if !known {
			kind = builtIn(id)
		}
		w.formats = append(w.formats, kind)
	}
	return nil
}

// codePage returns the character set for an Excel code page, or before if it is unknown.
func codePage(number uint16, before *statfile.Charset) *statfile.Charset {
	name := strconv.Itoa(int(number))
	switch number {
	case 10000, 32768:
		name = "macintosh"
	case 32769:
		name = "windows-1252"
	}
	if c, ok := statfile.NewCharset(name); ok {
		return c
	}
	return before
}

// shared reads the shared strings.
func (w *oldWorkbook) shared(ctx context.Context, r *records) error {
	head := r.take(8)
	if head == nil {
		return nil
	}
	for n := range binary.LittleEndian.Uint32(head[4:]) {
		if n%(1<<12) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		text, ok := w.text(r, false)
		if !ok {
			return nil // reading cells reports strings that do not exist
		}
		w.texts = append(w.texts, text)
	}
	return nil
}
