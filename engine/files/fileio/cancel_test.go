package fileio

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// slowReader is content that counts reads, and calls a function during one of them; further reads wait until it returns.
type slowReader struct {
	*bytes.Reader
	lock  sync.Mutex
	reads int64
	at    int64
	then  func()
}

func (s *slowReader) count() {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.reads++; s.reads == s.at && s.then != nil {
		s.then()
	}
}

func (s *slowReader) made() int64 {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.reads
}

func (s *slowReader) Read(p []byte) (int, error) {
	s.count()
	return s.Reader.Read(p[:min(len(p), 1<<12)])
}

func (s *slowReader) ReadAt(p []byte, at int64) (int, error) {
	s.count()
	return s.Reader.ReadAt(p, at)
}

// input returns the input that open would return for the content.
func (s *slowReader) input(ctx context.Context, t *testing.T, path string) *input {
	in := &input{path: path, name: filepath.Base(path), size: s.Size(), content: contextReader{s, ctx}}
	in.head = make([]byte, min(headSize, s.Size()))
	n, _ := s.Reader.ReadAt(in.head, 0)
	in.head = in.head[:n]
	if _, err := in.unzip(ctx, nil); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return in
}

// filesOfAllKinds returns contents by file name: small files of other programs, and a longer text, plain and
// compressed.
func filesOfAllKinds(t *testing.T) map[string][]byte {
	files := map[string][]byte{}
	entries, err := os.ReadDir(formatFile(""))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if ending := filepath.Ext(entry.Name()); !entry.IsDir() &&
			!slices.Contains([]string{".json", ".md", ".xls"}, ending) {
			if files[entry.Name()], err = os.ReadFile(formatFile(entry.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
	lines := "a,b\n" + strings.Repeat("1,x\n2,y\n", 200_000)
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, err = io.WriteString(z, strings.Repeat(lines, 4))
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	files["long.csv"], files["long.csv.gz"] = []byte(lines), zipped.Bytes()
	files["line.csv"] = []byte("a,b,c,d,e\n" + strings.Repeat(strings.Repeat("x", 1<<20)+",", 4) + "1\n")
	return files
}

// Every operation on a file of any type stops reading once the context has ended, except for reads in progress,
// and returns the error of the context.
func TestReadingStops(t *testing.T) {
	const inHand = 8
	kinds := formats()
	for name, content := range filesOfAllKinds(t) {
		f, err := kinds.recognise(t.Context(), (&slowReader{Reader: bytes.NewReader(content)}).input(t.Context(), t, name), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for what, do := range map[string]func(ctx context.Context, in *input) error{
			"recognise": func(ctx context.Context, in *input) error { _, err := kinds.recognise(ctx, in, nil); return err },
			"preview":   func(ctx context.Context, in *input) error { _, err := kinds.preview(ctx, in, f, 10); return err },
			"read":      func(ctx context.Context, in *input) error { _, _, err := kinds.read(ctx, in, f, nil); return err },
		} {
			whole := &slowReader{Reader: bytes.NewReader(content)}
			if err := do(t.Context(), whole.input(t.Context(), t, name)); err != nil {
				t.Errorf("%s %s: %v", what, name, err)
			}
			for at := int64(1); at <= whole.made(); at = at*2 + 1 {
				ctx, cancel := context.WithCancel(t.Context())
				stopped := &slowReader{Reader: bytes.NewReader(content), at: at, then: cancel}
				if err := do(ctx, stopped.input(ctx, t, name)); !errors.Is(err, context.Canceled) {
					t.Errorf("%s %s, cancelled at reading %d of %d: %v", what, name, at, whole.made(), err)
				}
				if reads := stopped.made(); reads > at+inHand {
					t.Errorf("%s %s, cancelled at reading %d of %d: %d were made", what, name, at, whole.made(), reads)
				}
			}
		}
	}
}

// Reading codebooks and code lists stops too.
func TestReadingInBackgroundStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, content := range map[string]string{
		"a.csv": "variable,label\n" + strings.Repeat("a,A\n", 1<<16),
		"a.xml": "<codeBook>" + strings.Repeat(`<var name="a"><labl>A</labl></var>`, 1<<12) + "</codeBook>",
	} {
		if _, err := parseCodebook(ctx, name, []byte(content)); !errors.Is(err, context.Canceled) {
			t.Errorf("codebook %s: %v", name, err)
		}
	}
}
