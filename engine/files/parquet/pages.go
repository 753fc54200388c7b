package parquet

import (
	"encoding/binary"
	"errors"

	"github.com/parquet-go/parquet-go/format"

	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// errPage is returned for a page that does not match its header.
var errPage = errors.New("a page does not match its header")

// pageReader walks the pages of a column chunk that passed checkChunk.
type pageReader struct {
	in       *statfile.Source
	codec    format.CompressionCodec
	optional bool
	at, end  int64
	*scratch
}

// page is a page, valid until the next one is read.
type page struct {
	dictionary bool
	count      int // number of values, including missing ones
	encoding   format.Encoding
	levels     []byte // definition levels; nil if no value is missing
	packed     bool   // levels are in the bit-packed encoding of older programs
	values     []byte
}

// next returns the next page with values.
func (p *pageReader) next() (page, error) {
	for {
		header, size, err := pageHeader(p.in, p.at, p.end)
		if err != nil {
			return page{}, err
		}
		if header == nil {
			return page{}, errPage
		}
		if p.stored, err = p.in.BytesIn(p.stored, p.at+size, int64(header.CompressedPageSize)); err != nil {
			return page{}, err
		}
		p.at += size + int64(header.CompressedPageSize)
		switch header.Type {
		case format.DictionaryPage:
			head := &header.DictionaryPageHeader.V
			out := page{dictionary: true, count: int(head.NumValues), encoding: format.Plain}
			out.values, err = p.decompressed(p.stored, int(header.UncompressedPageSize))
			return out, err
		case format.DataPage:
			return p.first(&header.DataPageHeader.V, int(header.UncompressedPageSize))
		case format.DataPageV2:
			return p.second(&header.DataPageHeaderV2.V, int(header.UncompressedPageSize))
		}
	}
}

// decompressed returns the content of a page. Some programs write empty content for an empty page, which codecs
// reject.
func (p *pageReader) decompressed(compressed []byte, size int) ([]byte, error) {
	switch {
	case size == 0:
		return nil, nil
	case p.codec == format.Uncompressed:
		return compressed, nil
	}
	p.plain = room(p.plain, size)
	return p.plain, decompressed(p.plain, compressed, p.codec)
}

// first splits a data page of version 1, whose levels are compressed with its values.
func (p *pageReader) first(head *format.DataPageHeader, size int) (page, error) {
	out := page{count: int(head.NumValues), encoding: head.Encoding,
		packed: head.DefinitionLevelEncoding == format.BitPacked}
	var err error
	if out.values, err = p.decompressed(p.stored, size); err != nil || !p.optional {
		return out, err
	}
	length := uint32(out.count+7) / 8
	if !out.packed {
		length, out.values = binary.LittleEndian.Uint32(out.values), out.values[4:]
	}
	out.levels, out.values = out.values[:length], out.values[length:]
	return out, nil
}

// second splits a data page of version 2, whose levels are not compressed.
func (p *pageReader) second(head *format.DataPageHeaderV2, size int) (page, error) {
	out := page{count: int(head.NumValues), encoding: head.Encoding}
	from := int(head.RepetitionLevelsByteLength)
	to := from + int(head.DefinitionLevelsByteLength)
	if p.optional {
		out.levels = p.stored[from:to]
	}
	out.values = p.stored[to:]
	if compressed := head.IsCompressed; compressed.Valid && !compressed.V {
		return out, nil
	}
	var err error
	out.values, err = p.decompressed(out.values, size-to)
	return out, err
}
