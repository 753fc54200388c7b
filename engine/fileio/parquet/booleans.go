package parquet

import (
	"context"
	"encoding/binary"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// The library takes runs of truth values for what they are not, so pages of them
// are decoded here.

// booleans decodes a column of truth values in a row group.
func (r *reading) booleans(ctx context.Context, group int, c *chunk) error {
	meta := &r.groups[group].Columns[c.index].MetaData
	content, err := r.in.Bytes(start(meta), meta.TotalCompressedSize)
	if err != nil {
		return err
	}
	for c.done < c.rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		var header format.PageHeader
		reader := (&thrift.CompactProtocol{}).NewReaderFromBytes(content)
		if err := thrift.NewDecoder(reader).Decode(&header); err != nil {
			return errPage
		}
		content = content[reader.BytesRead():]
		body := content[:header.CompressedPageSize]
		content = content[header.CompressedPageSize:]
		switch header.Type {
		case format.DataPage:
			err = c.booleansV1(body, &header, meta.Codec)
		case format.DataPageV2:
			err = c.booleansV2(body, &header, meta.Codec)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// start returns where the pages of a column start.
func start(chunk *format.ColumnMetaData) int64 {
	if d := chunk.DictionaryPageOffset; d > 0 && d < chunk.DataPageOffset {
		return d
	}
	return chunk.DataPageOffset
}

func decompressed(body []byte, codec format.CompressionCodec, size int) ([]byte, error) {
	if codec == format.Uncompressed {
		return body, nil
	}
	return pq.LookupCompressionCodec(codec).Decode(make([]byte, size), body)
}

func (c *chunk) booleansV1(body []byte, header *format.PageHeader, codec format.CompressionCodec) error {
	body, err := decompressed(body, codec, int(header.UncompressedPageSize))
	if err != nil {
		return err
	}
	count := int(header.DataPageHeader.V.NumValues)
	var levels []byte
	if c.optional {
		length := int(binary.LittleEndian.Uint32(body))
		levels = runs(body[4:4+length], count)
		body = body[4+length:]
	}
	return c.truths(levels, body, count, header.DataPageHeader.V.Encoding)
}

func (c *chunk) booleansV2(body []byte, header *format.PageHeader, codec format.CompressionCodec) error {
	v2 := &header.DataPageHeaderV2.V
	before := int(v2.RepetitionLevelsByteLength + v2.DefinitionLevelsByteLength)
	var levels []byte
	if c.optional {
		levels = runs(body[v2.RepetitionLevelsByteLength:before], int(v2.NumValues))
	}
	body = body[before:]
	if compressed := v2.IsCompressed; !compressed.Valid || compressed.V {
		var err error
		if body, err = decompressed(body, codec, int(header.UncompressedPageSize)-before); err != nil {
			return err
		}
	}
	return c.truths(levels, body, int(v2.NumValues), v2.Encoding)
}

// truths adds the values of a page.
func (c *chunk) truths(levels, body []byte, count int, encoding format.Encoding) error {
	present := count
	if c.optional {
		present = 0
		for _, level := range levels {
			present += int(level)
		}
	}
	var truths []byte
	switch encoding {
	case format.Plain:
		truths = make([]byte, present)
		for i := range truths {
			truths[i] = body[i/8] >> (i % 8) & 1
		}
	case format.RLE:
		truths = runs(body[4:4+binary.LittleEndian.Uint32(body)], present)
	default:
		return errPage
	}
	numbers := make([]float64, present)
	for i, truth := range truths {
		numbers[i] = float64(truth)
	}
	take := min(count, c.rows-c.done)
	c.plainNumbers(levels, numbers, take)
	c.done += take
	return nil
}

// runs decodes numbers of one bit: runs of one, and groups of eight in a byte.
func runs(content []byte, count int) []byte {
	out := make([]byte, count)
	for at := 0; at < count; {
		head, n := binary.Uvarint(content)
		if n <= 0 {
			panic(errPage)
		}
		content = content[n:]
		if head&1 == 0 {
			run := min(uint64(count-at), head>>1)
			for i := range run {
				out[at+int(i)] = content[0] & 1
			}
			at += int(run)
			content = content[1:]
			continue
		}
		for range head >> 1 {
			for bit := range 8 {
				if at < count {
					out[at] = content[0] >> bit & 1
					at++
				}
			}
			if content = content[1:]; at == count {
				break
			}
		}
	}
	return out
}
