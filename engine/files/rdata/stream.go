package rdata

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
	"github.com/sdcdesk/sdcdesk/engine/internal/parallel"
)

// stream is the decompressed content of a file, read ahead in another goroutine.
type stream struct {
	ctx     context.Context
	window  []byte           // bytes available and not taken
	ahead   chan blockResult // blocks in order
	free    chan []byte      // blocks to reuse
	stop    chan struct{}
	pending *parallel.Pending
	block   []byte // block that contains window
	joined  []byte // memory for bytes that span two blocks
	last    error  // error of decompression; nil if there is more
	ended   error  // reason why there is no more
	taken   int64
	most    int64 // maximum number of bytes; 0 for all
}

// blockResult is a block, or an error.
type blockResult struct {
	bytes []byte
	err   error
}

const (
	blockBytes  = 1 << 17
	blocksAhead = 4
)

// unpacked opens the content of a file. The meter counts bytes of the file. The caller closes it.
func unpacked(ctx context.Context, in *statfile.Source, meter *progress.Meter) (*stream, error) {
	section := io.NewSectionReader(progress.ReaderAt{ReaderAt: in, Meter: meter}, 0, in.Size())
	content := io.ReadCloser(io.NopCloser(section))
	if unpack := statfile.UnpackerOf(in.Head()); unpack != nil {
		var err error
		if content, err = unpack(section, 1); err != nil {
			return nil, err
		}
	}
	s := &stream{ctx: ctx, ahead: make(chan blockResult), free: make(chan []byte, blocksAhead), stop: make(chan struct{})}
	for range blocksAhead {
		s.free <- nil
	}
	s.pending = parallel.Go(func() {
		defer close(s.ahead)
		defer content.Close()
		s.fill(content)
	})
	return s, nil
}

// fill decompresses until the stream is closed.
func (s *stream) fill(content io.Reader) {
	for {
		var block []byte
		select {
		case block = <-s.free:
		case <-s.stop:
			return
		}
		if cap(block) < blockBytes {
			block = make([]byte, blockBytes)
		}
		n, err := 0, error(nil)
		for block = block[:blockBytes]; n < len(block) && err == nil; {
			var read int
			read, err = content.Read(block[n:])
			n += read
		}
		select {
		case s.ahead <- blockResult{block[:n], err}:
		case <-s.stop:
			return
		}
		if err != nil {
			return
		}
	}
}

func (s *stream) close() {
	close(s.stop)
	for range s.ahead { // discard blocks in transit
	}
	s.pending.Wait()
}

// errEnded is returned if a file is shorter than it claims.
var errEnded = errors.New("it ends too soon")

// next makes the next block the window after all of the last one was taken.
func (s *stream) next() bool {
	if s.ended != nil {
		return false
	}
	if s.ended = s.ctx.Err(); s.ended == nil && s.most > 0 && s.taken >= s.most {
		s.ended = errStart
	}
	if s.ended != nil {
		return false
	}
	if s.block != nil {
		select {
		case s.free <- s.block:
		default:
		}
		s.block = nil
	}
	f := <-s.ahead
	s.block, s.window = f.bytes, f.bytes
	if f.err != nil {
		s.last = f.err
	}
	if len(f.bytes) > 0 {
		return true
	}
	if s.ended = s.last; s.last == nil || errors.Is(s.last, io.EOF) {
		s.ended = errEnded
	}
	return false
}

// rest reads to the end, and returns an error such as a wrong checksum.
func (s *stream) rest() error {
	for s.next() {
	}
	if errors.Is(s.ended, errEnded) {
		return nil
	}
	return s.ended
}

// take returns the next n bytes, at most blockBytes, which are valid until the next call.
func (s *stream) take(n int) []byte {
	if len(s.window) >= n {
		out := s.window[:n]
		s.window, s.taken = s.window[n:], s.taken+int64(n)
		return out
	}
	s.joined = s.joined[:0]
	for len(s.joined) < n {
		if len(s.window) == 0 && !s.next() {
			return nil
		}
		part := s.window[:min(n-len(s.joined), len(s.window))]
		s.joined = append(s.joined, part...)
		s.window, s.taken = s.window[len(part):], s.taken+int64(len(part))
	}
	return s.joined
}

// skip skips n bytes.
func (s *stream) skip(n int64) {
	for n > 0 {
		if len(s.window) == 0 && !s.next() {
			return
		}
		part := min(n, int64(len(s.window)))
		s.window, s.taken, n = s.window[part:], s.taken+part, n-part
	}
}

// word returns the next bytes other than white space, at most most.
func (s *stream) word(most int) []byte {
	for {
		s.window = bytes.TrimLeft(s.window, " \t\r\n")
		if len(s.window) > 0 {
			break
		}
		if !s.next() {
			return nil
		}
	}
	if end := bytes.IndexAny(s.window[:min(len(s.window), most)], " \t\r\n"); end >= 0 {
		return s.take(end)
	}
	word := []byte(nil)
	for len(word) < most {
		b := s.take(1)
		if b == nil || bytes.IndexByte([]byte(" \t\r\n"), b[0]) >= 0 {
			break
		}
		word = append(word, b[0])
	}
	return word
}
