package parquet

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// Read reads a file.
func (Format) Read(ctx context.Context, in *statfile.Source, o statfile.ReadOptions,
	meter *progress.Meter) (*statfile.File, error) {
	meter.Start(in.Size())
	said, err := footer(in)
	if err != nil {
		return nil, err
	}
	r := &readState{in: in, said: said, groups: said.RowGroups}
	var lost statfile.Losses
	if r.columns, lost, err = leaves(in, said.Schema, &o); err != nil {
		return nil, err
	}
	if err := r.plan(ctx, &o); err != nil {
		return nil, err
	}
	charset, _ := statfile.NewCharset("")
	f := &statfile.File{Rows: r.rows, Total: int(said.NumRows), Settings: statfile.Settings{},
		Warnings: lost.Sentences()}
	if len(r.groups) > 0 && len(r.groups[0].Columns) > 0 {
		f.Settings[codecSetting] = codecName(r.groups[0].Columns[0].MetaData.Codec)
	}
	for _, l := range r.columns {
		f.Variables = append(f.Variables, statfile.Variable{Name: l.name, Kind: l.kind, Storage: l.storage})
	}
	err = f.Gather(ctx, in, &o, charset, r.rows, func(b *statfile.Blocks) error { return r.read(ctx, b, meter) })
	if err != nil {
		return nil, err
	}
	for i, l := range r.columns {
		if r.rounded[i].Load() {
			f.Warnings = append(f.Warnings, fmt.Sprintf("column %q has integers of more than 15 digits; they are rounded",
				wording.Excerpt(l.name)))
		}
		if r.odd[i].Load() {
			f.Warnings = append(f.Warnings, fmt.Sprintf("column %q has values that are not numbers (NaN); they become missing",
				wording.Excerpt(l.name)))
		}
	}
	meter.Set(in.Size(), in.Size())
	return f, nil
}

// fileMetadata is the part of a footer that is needed. Other parts are skipped, because programs do not agree on
// them, such as keys without values.
type fileMetadata struct {
	Schema    []format.SchemaElement `thrift:"2,required"`
	NumRows   int64                  `thrift:"3,required"`
	RowGroups []rowGroup             `thrift:"4,required"`
}

// rowGroup lists the column chunks of a row group.
type rowGroup struct {
	Columns []struct {
		MetaData columnPart `thrift:"3,optional"`
	} `thrift:"1,required"`
	NumRows int64 `thrift:"3,required"`
}

// columnPart is the position of a column chunk.
type columnPart struct {
	Codec                format.CompressionCodec `thrift:"4,required"`
	NumValues            int64                   `thrift:"5,required"`
	TotalCompressedSize  int64                   `thrift:"7,required"`
	DataPageOffset       int64                   `thrift:"9,required"`
	DictionaryPageOffset int64                   `thrift:"11,optional"`
}

// footer reads the metadata of the columns and row groups.
func footer(in *statfile.Source) (*fileMetadata, error) {
	content, err := footerBytes(in)
	if err != nil {
		return nil, err
	}
	var out fileMetadata
	if thrift.Unmarshal(&thrift.CompactProtocol{}, content, &out) != nil {
		return nil, in.Failure(statfile.ErrDamaged, "the footer of the file cannot be read: the file is damaged")
	}
	return &out, in.CheckVariables(int64(len(out.Schema)) - 1)
}

// readState is the state of reading a file.
type readState struct {
	in      *statfile.Source
	said    *fileMetadata
	groups  []rowGroup
	columns []leaf
	starts  []int // first row of each row group
	rows    int
	rounded []atomic.Bool
	odd     []atomic.Bool // columns with NaN values
	large   sync.Mutex    // held while a chunk with large pages is decoded
}

// plan selects the row groups to read, after checking that their pages match the footer.
func (r *readState) plan(ctx context.Context, o *statfile.ReadOptions) error {
	most, total := o.Rows, int64(0)
	for i := range r.groups {
		rows := r.groups[i].NumRows
		if rows < 0 || rows > 1<<40 || len(r.groups[i].Columns) != r.leafCount() {
			return r.in.Failure(statfile.ErrDamaged, "the footer describes an impossible row group: the file is damaged")
		}
		if most > 0 && total >= int64(most) {
			break
		}
		r.starts = append(r.starts, int(total))
		total += rows
	}
	if most == 0 && total != r.said.NumRows {
		return r.in.Failure(statfile.ErrDamaged, "the numbers of rows of the row groups do not add up to that of the file: it is damaged")
	}
	r.rows = int(total)
	if most > 0 {
		r.rows = min(r.rows, most)
	}
	if err := r.in.Fits(int64(r.rows) * int64(max(1, len(r.columns)))); err != nil { // at least a byte for each value
		return err
	}
	r.rounded = make([]atomic.Bool, len(r.columns))
	r.odd = make([]atomic.Bool, len(r.columns))
	return parallel.Each(ctx, len(r.starts)*len(r.columns), func(task int) error {
		group, l := &r.groups[task/len(r.columns)], &r.columns[task%len(r.columns)]
		meta := &group.Columns[l.index].MetaData
		if group.NumRows == 0 {
			return nil // its pages are not needed
		}
		if !readable(meta.Codec) {
			return r.in.Failure(statfile.ErrUnsupported,
				"column %q is compressed with %s, which is not supported; save the file with zstd, snappy or gzip",
				wording.Excerpt(l.name), meta.Codec)
		}
		return checkChunk(r.in, l.name, meta, group.NumRows)
	})
}

func (r *readState) leafCount() int {
	count := 0
	for i := range r.said.Schema {
		if r.said.Schema[i].Type.Valid {
			count++
		}
	}
	return count
}

// read decodes the columns of the row groups in parallel.
func (r *readState) read(ctx context.Context, blocks *statfile.Blocks, meter *progress.Meter) error {
	return parallel.EachWith(ctx, len(r.starts)*len(r.columns), func(memory *scratch, task int) error {
		group, column := task/len(r.columns), task%len(r.columns)
		start := r.starts[group]
		l := &r.columns[column]
		c := &chunk{leaf: l, in: r.in, rows: min(int(r.groups[group].NumRows), r.rows-start), scratch: memory}
		if l.kind == statfile.Text {
			c.textsOut = statfile.NewDictionary(c.rows)
		}
		c.put = func(row int, numbers []float64) {
			blocks.Put(start+row, column, statfile.Column{Numbers: numbers})
		}
		if err := r.chunk(ctx, group, c); err != nil {
			return err
		}
		if c.rounded {
			r.rounded[column].Store(true)
		}
		if c.odd {
			r.odd[column].Store(true)
		}
		if l.kind == statfile.Text {
			blocks.Put(start, column, statfile.Column{Texts: c.textsOut.Texts()})
		}
		meter.Add(r.groups[group].Columns[l.index].MetaData.TotalCompressedSize)
		return nil
	})
}

// chunk decodes a column chunk page by page. Access beyond the data of a damaged page panics and is recovered.
func (r *readState) chunk(ctx context.Context, group int, c *chunk) (err error) {
	damaged := r.in.Failure(statfile.ErrDamaged, "column %q: a page cannot be decoded: the file is damaged",
		wording.Excerpt(c.name))
	defer func() {
		if recover() != nil || errors.Is(err, errPage) {
			err = damaged
		}
	}()
	meta := &r.groups[group].Columns[c.index].MetaData
	pages := pageReader{scratch: c.scratch, in: r.in, codec: meta.Codec, optional: c.optional, at: start(meta),
		end: start(meta) + meta.TotalCompressedSize}
	for c.done < c.rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		page, err := pages.next()
		if err != nil {
			return err
		}
		if len(page.values) > largePage {
			err = r.alone(c, &page)
		} else {
			err = c.page(&page)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// largePage is the size in bytes above which pages are decoded one at a time; most programs write smaller ones.
const largePage = 8 << 20

// alone decodes a large page while no other one is decoded, and releases its memory.
func (r *readState) alone(c *chunk, p *page) error {
	r.large.Lock()
	defer r.large.Unlock()
	err := c.page(p)
	c.scratch.plain, c.values, p.values = nil, nil, nil
	return err
}

// codecSetting is the name of the setting for the compression codec.
const codecSetting = "compression"

func codecName(codec format.CompressionCodec) string {
	switch codec {
	case format.Snappy:
		return "snappy"
	case format.Gzip:
		return "gzip"
	case format.Brotli:
		return "brotli"
	case format.Zstd:
		return "zstd"
	case format.Lz4Raw:
		return "lz4"
	default:
		return "none"
	}
}
