package parquet

import (
	"encoding/binary"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// The decoder allocates the memory that a file claims to need, so claims are checked first against the bytes that
// exist.

// footerBytes returns the footer. It is an error if it does not exist, or if a list claims more entries than there
// are bytes.
func footerBytes(in *statfile.Source) ([]byte, error) {
	const ends = 8
	if in.Size() < 12 {
		return nil, in.Failure(statfile.ErrDamaged,
			"the file has %d bytes, too few for a Parquet file: it is truncated or damaged", in.Size())
	}
	tail, err := in.Bytes(in.Size()-ends, ends)
	if err != nil {
		return nil, err
	}
	length := int64(binary.LittleEndian.Uint32(tail))
	switch {
	case string(tail[4:]) == "PARE":
		return nil, in.Failure(statfile.ErrUnsupported,
			"the file is encrypted, which is not supported; save it without encryption")
	case string(tail[4:]) != "PAR1":
		return nil, in.Failure(statfile.ErrDamaged,
			"the file lacks the end mark of a Parquet file: it is truncated or damaged")
	case length > in.Size()-ends-4:
		return nil, in.Failure(statfile.ErrDamaged,
			"the footer should have %d bytes, but the file has %d: it is truncated or damaged", length, in.Size())
	}
	footer, err := in.Bytes(in.Size()-ends-length, length)
	if err != nil {
		return nil, err
	}
	w := compact{bytes: footer}
	if w.structure(0); w.broken {
		return nil, in.Failure(statfile.ErrDamaged, "the footer of the file cannot be read: the file is damaged")
	}
	const ofStructure = 400 // approximate bytes
	return footer, in.Aside(ofStructure * w.structures)
}

// compact walks the Thrift compact encoding of a footer, to check that everything it claims exists.
type compact struct {
	bytes      []byte
	broken     bool
	structures int64
}

func (w *compact) take(n uint64) {
	if n > uint64(len(w.bytes)) {
		w.broken, w.bytes = true, nil
		return
	}
	w.bytes = w.bytes[n:]
}

func (w *compact) byte() byte {
	if len(w.bytes) == 0 {
		w.broken = true
		return 0
	}
	b := w.bytes[0]
	w.bytes = w.bytes[1:]
	return b
}

func (w *compact) number() uint64 {
	value, n := binary.Uvarint(w.bytes)
	if n <= 0 {
		w.broken, w.bytes = true, nil
		return 0
	}
	w.bytes = w.bytes[n:]
	return value
}

// The types of the compact encoding.
const (
	stopType   = 0
	trueType   = 1
	falseType  = 2
	byteType   = 3
	int64Type  = 6
	doubleType = 7
	textType   = 8
	listType   = 9
	setType    = 10
	mapType    = 11
	structType = 12

	deepest = 32
)

// structure skips the fields of a structure.
func (w *compact) structure(depth int) {
	w.structures++
	for !w.broken {
		field := w.byte()
		if field&0xf == stopType {
			return
		}
		if field>>4 == 0 {
			w.number() // field ID
		}
		if kind := field & 0xf; kind != trueType && kind != falseType {
			w.value(kind, depth+1)
		}
	}
}

func (w *compact) value(kind byte, depth int) {
	switch {
	case depth > deepest:
		w.broken = true
	case kind == trueType || kind == falseType || kind == byteType:
		w.byte()
	case kind > byteType && kind <= int64Type:
		w.number()
	case kind == doubleType:
		w.take(8)
	case kind == textType:
		w.take(w.number())
	case kind == listType || kind == setType:
		head := w.byte()
		w.elements(uint64(head>>4), head&0xf, depth)
	case kind == structType:
		w.structure(depth)
	default: // footers contain no maps
		w.broken = true
	}
}

func (w *compact) elements(n uint64, kind byte, depth int) {
	if n == 15 {
		n = w.number()
	}
	if n > uint64(len(w.bytes)) {
		w.broken = true
	}
	for ; n > 0 && !w.broken; n-- {
		w.value(kind, depth+1)
	}
}

// The maximum decompressed size of a page: more than programs write or, for data that compresses well, a multiple
// of the compressed size.
const (
	usualPage  = 32 << 20
	mostShrunk = 2000
)

// checkChunk walks the pages of a column chunk and returns an error for impossible claims. It returns the total
// decompressed size.
func checkChunk(in *statfile.Source, name string, chunk *columnPart, rows int64) error {
	damaged := func(what string) error {
		return in.Failure(statfile.ErrDamaged, "column %q: %s: the file is damaged", wording.Excerpt(name), what)
	}
	at := start(chunk)
	length := chunk.TotalCompressedSize
	if at < 4 || length < 0 || at > in.Size() || length > in.Size()-at {
		return damaged("its data lie outside the file")
	}
	if chunk.NumValues != rows {
		return damaged("its number of values differs from the number of rows of its row group")
	}
	end := at + length
	values := int64(0)
	for values < rows {
		header, size, err := pageHeader(in, at, end)
		if err != nil {
			return err
		}
		if header == nil {
			return damaged("a page header cannot be read")
		}
		at += size
		compressed, plain := int64(header.CompressedPageSize), int64(header.UncompressedPageSize)
		if compressed < 0 || plain < 0 || compressed > end-at || plain > usualPage+mostShrunk*compressed {
			return damaged("a page is longer than its column")
		}
		at += compressed
		switch header.Type {
		case format.DataPage:
			values += max(0, int64(header.DataPageHeader.V.NumValues))
		case format.DataPageV2:
			values += max(0, int64(header.DataPageHeaderV2.V.NumValues))
		}
	}
	if values != rows {
		return damaged("the number of values of its pages differs from the number of rows of its row group")
	}
	return nil
}

// pageHeader returns the header of the page at an offset, and its length, or nil if there is none. Most are short;
// some contain texts.
func pageHeader(in *statfile.Source, at, end int64) (*format.PageHeader, int64, error) {
	for _, ahead := range []int64{1 << 9, 1 << 20} {
		content, err := in.Bytes(at, min(ahead, end-at))
		if err != nil {
			return nil, 0, err
		}
		w := compact{bytes: content}
		if w.structure(0); w.broken {
			continue
		}
		size := len(content) - len(w.bytes)
		var header format.PageHeader
		if thrift.Unmarshal(&thrift.CompactProtocol{}, content[:size], &header) != nil {
			break
		}
		return &header, int64(size), nil
	}
	return nil, 0, nil
}

// start returns the offset of the first page of a column chunk.
func start(chunk *columnPart) int64 {
	if d := chunk.DictionaryPageOffset; d > 0 && d < chunk.DataPageOffset {
		return d
	}
	return chunk.DataPageOffset
}
