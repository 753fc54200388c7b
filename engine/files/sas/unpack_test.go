package sas

import (
	"bytes"
	"strings"
	"testing"
)

// Every command of both compressions is decoded, from hand-written examples.
func TestUnpackRuns(t *testing.T) {
	text := func(n int) string { return strings.Repeat("0123456789", n)[:n] }
	for _, test := range []struct{ packed, want string }{
		{"\x00\x02" + text(66), text(66)},
		{"\x01\x03" + text(64+256+3), text(64 + 256 + 3)},
		{"\x10\x05" + text(64+4096+5), text(64 + 4096 + 5)},
		{"\x2f" + text(96+15), text(96 + 15)},
		{"\x41\x02x", strings.Repeat("x", 18+256+2)},
		{"\x50\x01", strings.Repeat("@", 18)},
		{"\x60\x00", strings.Repeat(" ", 17)},
		{"\x71\x04", strings.Repeat("\x00", 17+256+4)},
		{"\x83" + text(4) + "\x90" + text(17) + "\xa0" + text(33) + "\xb5" + text(54),
			text(4) + text(17) + text(33) + text(54)},
		{"\xc2y\xd0\xe3\xff", "yyyyy" + "@@" + "     " + strings.Repeat("\x00", 17)},
	} {
		out, whole := unpackRuns([]byte("before"), []byte(test.packed), len(test.want))
		if string(out) != "before"+test.want || !whole {
			t.Errorf("%.20q becomes %.40q, %v", test.packed, out, whole)
		}
		for _, size := range []int{len(test.want) - 1, len(test.want) + 1} {
			if _, whole := unpackRuns(nil, []byte(test.packed), size); whole {
				t.Errorf("%.20q is %d bytes", test.packed, size)
			}
		}
	}
}

// ross encodes items, of which those beginning with "!" are commands, with their control words.
func ross(items ...string) []byte {
	var out bytes.Buffer
	for from := 0; from < len(items); from += 16 {
		some := items[from:min(from+16, len(items))]
		control := uint16(0)
		for i, item := range some {
			if item[0] == '!' {
				control |= 0x8000 >> i
			}
		}
		out.Write([]byte{byte(control >> 8), byte(control)})
		for _, item := range some {
			out.WriteString(strings.TrimPrefix(item, "!"))
		}
	}
	return out.Bytes()
}

func TestUnpackRoss(t *testing.T) {
	letters := strings.Split("abcdefghijklmnopqrstuvwxyz", "")
	for _, test := range []struct {
		items []string
		want  string
	}{
		{letters, strings.Join(letters, "")},
		{[]string{"a", "!\x02x", "b"}, "axxxxxb"},
		{[]string{"!\x13\x01y"}, strings.Repeat("y", 3+16+19)},
		// five bytes from seven back
		{append(letters, "!\x54\x00"), strings.Join(letters, "") + "tuvwx"},
		// three bytes from 1 + 3 + 16 back
		{append(letters, "!\x31\x01"), strings.Join(letters, "") + "ghi"},
		// 2 + 16 bytes from 3 + 16 back
		{append(letters, "!\x20\x01\x02"), strings.Join(letters, "") + strings.Repeat("hijklmnopqrstuvwxyz", 1)[:18]},
		// overlapping its own output
		{[]string{"a", "b", "c", "!\xf0\x00"}, "abc" + strings.Repeat("abc", 5)},
	} {
		out, whole := unpackRoss([]byte("before"), ross(test.items...), len(test.want))
		if string(out) != "before"+test.want || !whole {
			t.Errorf("%q becomes %q, %v; want %q", test.items, out, whole, test.want)
		}
	}
	if _, whole := unpackRoss([]byte("before"), ross("a", "!\x30\x00"), 4); whole {
		t.Error("a copy begins before the row")
	}
}
