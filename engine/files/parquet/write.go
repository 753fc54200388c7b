package parquet

import (
	"cmp"
	"context"
	"encoding/binary"
	"io"
	"math"
	"math/bits"

	pq "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// groupRows is the number of rows in a row group; each of its columns is one page.
const groupRows = 1 << 17

// Write writes a file, compressed with the codec in the settings (none, snappy, gzip, brotli, zstd), by default
// snappy.
func (Format) Write(ctx context.Context, w io.Writer, f *statfile.File, settings statfile.Settings,
	meter *progress.Meter) error {
	meter.Start(int64(f.Rows))
	p := &writing{out: w, codec: codecOf(settings[codecSetting]), columns: make([]stored, len(f.Variables))}
	err := parallel.Each(ctx, len(p.columns), func(i int) error {
		p.columns[i] = storedAs(&f.Variables[i])
		return nil
	})
	if err != nil {
		return err
	}
	p.put([]byte("PAR1"))
	for from := 0; from < f.Rows; from += groupRows {
		to := min(from+groupRows, f.Rows)
		if err := p.group(ctx, from, to); err != nil {
			return err
		}
		meter.Add(int64(to - from))
	}
	footer, err := thrift.Marshal(&thrift.CompactProtocol{}, p.metadata(f.Rows))
	if err != nil {
		return statfile.Failuref(statfile.ErrUnwritable, "writing the footer: %v", err)
	}
	p.put(footer)
	p.put(append(binary.LittleEndian.AppendUint32(nil, uint32(len(footer))), "PAR1"...))
	return p.failed
}

func codecOf(name string) format.CompressionCodec {
	for _, codec := range []format.CompressionCodec{format.Uncompressed, format.Gzip, format.Brotli, format.Zstd} {
		if codecName(codec) == name {
			return codec
		}
	}
	return format.Snappy
}

// compressors are the codecs for writing.
var compressors = map[format.CompressionCodec]compress.Codec{format.Uncompressed: &pq.Uncompressed,
	format.Snappy: &pq.Snappy, format.Gzip: &pq.Gzip, format.Brotli: &pq.Brotli, format.Zstd: &pq.Zstd}

// writing is the state of writing a file.
type writing struct {
	out     io.Writer
	codec   format.CompressionCodec
	columns []stored
	at      int64
	groups  []format.RowGroup
	failed  error
}

func (p *writing) put(content []byte) {
	n, err := p.out.Write(content)
	p.at += int64(n)
	p.failed = cmp.Or(p.failed, err)
}

func (p *writing) metadata(rows int) *format.FileMetaData {
	schema := []format.SchemaElement{{Name: "schema", NumChildren: thrift.New(int32(len(p.columns)))}}
	for i := range p.columns {
		schema = append(schema, p.columns[i].element())
	}
	return &format.FileMetaData{Version: 2, Schema: schema, NumRows: int64(rows), RowGroups: p.groups, CreatedBy: "sdcdesk"}
}

// pages are the encoded pages of a column chunk.
type pages struct {
	content    []byte
	dictionary int // bytes of the dictionary page, which comes first
	plain      int // total size before compression
}

// group writes a row group, whose columns are encoded in parallel.
func (p *writing) group(ctx context.Context, from, to int) error {
	encoded := make([]pages, len(p.columns))
	err := parallel.Each(ctx, len(p.columns), func(i int) (err error) {
		encoded[i], err = p.columns[i].encode(p.codec, from, to)
		return err
	})
	if err != nil {
		return err
	}
	group := format.RowGroup{NumRows: int64(to - from), FileOffset: p.at, Ordinal: int16(len(p.groups))}
	for i, e := range encoded {
		c := format.ColumnMetaData{Type: p.columns[i].physical(), Encoding: []format.Encoding{format.RLE, format.Plain},
			PathInSchema: []string{p.columns[i].Name},
			Codec:        p.codec, NumValues: int64(to - from), TotalUncompressedSize: int64(e.plain),
			TotalCompressedSize: int64(len(e.content)), DataPageOffset: p.at + int64(e.dictionary)}
		if e.dictionary > 0 {
			c.Encoding, c.DictionaryPageOffset = append(c.Encoding, format.RLEDictionary), p.at
		}
		group.Columns = append(group.Columns, format.ColumnChunk{MetaData: c, FileOffset: p.at})
		group.TotalByteSize += int64(e.plain)
		group.TotalCompressedSize += int64(len(e.content))
		p.put(e.content)
	}
	p.groups = append(p.groups, group)
	return p.failed
}

// encode returns the pages for the rows in [from, to).
func (s *stored) encode(codec format.CompressionCodec, from, to int) (pages, error) {
	var out pages
	header := &format.DataPageHeader{NumValues: int32(to - from), Encoding: format.Plain,
		DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE}
	var body []byte
	if texts := s.Column.Texts; texts != nil {
		codes := texts.Codes.Between(from, to)
		body = levels(to-from, func(i int) bool { return codes[i] != 0 })
		indices, used := numbered(codes, len(texts.Values))
		if len(used) > 0 && len(used) <= len(indices)/2 {
			var dictionary []byte
			for _, code := range used {
				dictionary = appendText(dictionary, texts.Values[code-1])
			}
			head := &format.PageHeader{Type: format.DictionaryPage,
				DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{NumValues: int32(len(used)), Encoding: format.Plain})}
			if err := out.add(codec, head, dictionary); err != nil {
				return out, err
			}
			out.dictionary = len(out.content)
			width := max(1, bits.Len(uint(len(used)-1)))
			encoded, err := (&rle.Encoding{BitWidth: width}).EncodeInt32(nil, indices)
			if err != nil {
				return out, err
			}
			header.Encoding = format.RLEDictionary
			body = append(append(body, byte(width)), encoded...)
		} else {
			for _, code := range codes {
				if code != 0 {
					body = appendText(body, texts.Values[code-1])
				}
			}
		}
	} else {
		numbers := s.Column.Numbers[from:to]
		body = levels(to-from, func(i int) bool { return numbers[i] == numbers[i] })
		body = s.appendNumbers(body, numbers)
	}
	err := out.add(codec, &format.PageHeader{Type: format.DataPage, DataPageHeader: thrift.New(*header)}, body)
	return out, err
}

// add adds a page.
func (p *pages) add(codec format.CompressionCodec, header *format.PageHeader, body []byte) error {
	header.UncompressedPageSize = int32(len(body))
	plain := len(body)
	body, err := compressors[codec].Encode(nil, body)
	if err != nil {
		return err
	}
	header.CompressedPageSize = int32(len(body))
	head, err := thrift.Marshal(&thrift.CompactProtocol{}, header)
	if err != nil {
		return err
	}
	p.content = append(append(p.content, head...), body...)
	p.plain += len(head) + plain
	return nil
}

// levels encodes which rows have a value, preceded by its length.
func levels(rows int, present func(int) bool) []byte {
	packed := make([]byte, (rows+7)/8)
	count := 0
	for i := range rows {
		if present(i) {
			packed[i/8] |= 1 << (i % 8)
			count++
		}
	}
	var encoded []byte
	switch count {
	case rows:
		encoded = append(binary.AppendUvarint(nil, uint64(rows)<<1), 1)
	case 0:
		encoded = append(binary.AppendUvarint(nil, uint64(rows)<<1), 0)
	default:
		encoded = append(binary.AppendUvarint(nil, uint64(len(packed))<<1|1), packed...)
	}
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(encoded))), encoded...)
}

// numbered numbers the codes that occur in order of first occurrence; indices are those of the rows with a value.
func numbered(codes []uint32, values int) (indices []int32, used []uint32) {
	number := make([]int32, values+1)
	indices = make([]int32, 0, len(codes))
	for _, code := range codes {
		if code == 0 {
			continue
		}
		if number[code] == 0 {
			used = append(used, code)
			number[code] = int32(len(used))
		}
		indices = append(indices, number[code]-1)
	}
	return indices, used
}

func appendText(out []byte, text string) []byte {
	return append(binary.LittleEndian.AppendUint32(out, uint32(len(text))), text...)
}

// appendNumbers appends the nonmissing values.
func (s *stored) appendNumbers(out []byte, numbers []float64) []byte {
	bit, physical := 0, s.physical()
	for _, x := range numbers {
		if x != x {
			continue
		}
		switch physical {
		case format.Boolean:
			if bit%8 == 0 {
				out = append(out, 0)
			}
			if x != 0 {
				out[len(out)-1] |= 1 << (bit % 8)
			}
			bit++
		case format.Int32:
			out = binary.LittleEndian.AppendUint32(out, uint32(int64(math.Round(x*s.per))))
		case format.Int64:
			out = binary.LittleEndian.AppendUint64(out, uint64(int64(math.Round(x*s.per))))
		case format.Float:
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(x)))
		default:
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(x))
		}
	}
	return out
}
