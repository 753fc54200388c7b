package fileio

import (
	"bytes"
	"context"
	"testing"
)

// FuzzRead: reading any content with any format never panics; the result does not depend on the size of blocks;
// what is written is read back unchanged.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "a,b,c\n", "a,b,a,\n1,2,3,4\n", "a,b,c\n1,2,3\n4,5\n6,7,8,9\n", "a,b\n1,Z\xfcrich\n2,\xc3(\n",
		"a,b\n1,x\x00y\n2,\x00\n", "a,b\n1,\"two\n3,four\n",
		"\ufeffa;b\r\n1,5;\"x\"\r\n", "\xff\xfea\x00\n\x001\x00\n\x00", "a\r1\r\r2", "\"\",\"a\"\n\"1\",.5\n,1e3\n", "\n\n",
		"a\n\"\"\n", "a,b\n\"x\"\"\",\"\n\"\n",
		"a,b\nNA,-9\n-9,\"NA\"\n", "x", "\"", "\"\n", "'a','b'\n'1','2'\n", "a,b\r\n1,2\n3,4\r\n", "PK\x03\x04", "a\tb\n1\t2",
		"v\n-0\n0\n0.0\n",
	} {
		f.Add([]byte(seed), ",", ".", "", true, uint8(7))
		f.Add([]byte(seed), "", "", UTF8, false, uint8(1))
	}
	f.Fuzz(func(t *testing.T, content []byte, delimiter, decimal, encoding string, header bool, block uint8) {
		format := Format{Delimiter: delimiter, Decimal: decimal, Encoding: encoding, Header: header,
			Missing: []string{"NA", "-9"}}
		Guess(content)
		if table, err := previewBytes(content, format, 5); err == nil && len(table.Kinds) != len(table.Names) {
			t.Fatal("a preview has kinds for other variables than it names")
		}
		ctx := context.Background()
		data, report, err := ReadBytes(ctx, "fuzz.csv", content, format, nil)
		if len(content) > 0 && otherProgram(content) == "" {
			again, _, errAgain := readText(ctx, inMemory("fuzz.csv", content), format, readTuning{int(block) + 1, 2}, nil)
			if (err == nil) != (errAgain == nil) || err != nil && err.Error() != errAgain.Error() {
				t.Fatalf("in blocks of %d bytes the error is %v, not %v", int(block)+1, errAgain, err)
			}
			if err == nil && data.Hash() != again.Hash() {
				t.Fatalf("in blocks of %d bytes other data are read", int(block)+1)
			}
		}
		if err != nil {
			return
		}
		var out bytes.Buffer
		if _, err := WriteTo(ctx, &out, data, report.Format, WriteOptions{}, nil); err != nil {
			t.Fatalf("read under %+v and not written: %v", report.Format, err)
		}
		back, _, err := ReadBytes(ctx, "fuzz.csv", out.Bytes(), report.Format, nil)
		if otherProgram(out.Bytes()) != "" {
			return // without irregularities, it looks like another file type
		}
		if err != nil {
			t.Fatalf("written as %q under %+v and not read: %v", out.Bytes(), report.Format, err)
		}
		if back.Hash() != data.Hash() {
			t.Fatalf("written as %q under %+v and read as other data", out.Bytes(), report.Format)
		}
	})
}
