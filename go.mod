module github.com/sdcdesk/sdcdesk

go 1.25.0

require (
	charm.land/bubbles/v2 v2.2.1 // text input and key bindings
	charm.land/bubbletea/v2 v2.0.9 // event loop and renderer of the terminal
	charm.land/lipgloss/v2 v2.0.6 // colours
	github.com/andybalholm/brotli v1.1.1 // Brotli in Parquet
	github.com/charmbracelet/x/ansi v0.11.9 // widths of styled text
	github.com/charmbracelet/x/term v0.2.2 // detects a terminal; passwords
	github.com/google/go-cmp v0.7.0 // differences in tests
	github.com/guptarohit/asciigraph v0.10.0 // line plots
	github.com/jackc/pgx/v5 v5.12.0 // PostgreSQL types, encryption, service files, cancelling; 5.4 MB
	github.com/klauspost/compress v1.20.3 // gzip, zstd, Snappy
	github.com/parquet-go/parquet-go v0.32.0 // headers, types and codecs of Parquet; adds 4 MB
	github.com/pierrec/lz4/v4 v4.1.21 // LZ4 in Parquet
	github.com/richardlehane/mscfb v1.0.9 // streams of .xls files
	github.com/spf13/cobra v1.10.2 // command line, help, completion
	github.com/spf13/pflag v1.0.9 // messages of usage errors
	github.com/xi2/xz v0.0.0-20171230120015-48954b6210f8 // xz, with a memory limit
	golang.org/x/sys v0.47.0 // file locks, renaming without replacing
	golang.org/x/text v0.41.0 // encodings
	gonum.org/v1/gonum v0.17.0 // distributions, matrix inverses; independent checks in tests
	modernc.org/sqlite v1.59.0 // SQLite without cgo; 3.9 MB; later versions need Go 1.26
	pgregory.net/rapid v1.3.0 // properties in tests
)

require (
	github.com/atotto/clipboard v0.1.4 // indirect
	github.com/charmbracelet/colorprofile v0.4.3 // indirect
	github.com/charmbracelet/ultraviolet v0.0.0-20260811164956-006e29f97886 // indirect
	github.com/charmbracelet/x/termios v0.1.1 // indirect
	github.com/charmbracelet/x/windows v0.2.2 // indirect
	github.com/clipperhouse/displaywidth v0.11.0 // indirect
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/dustin/go-humanize v1.0.1 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/jackc/pgpassfile v1.0.0 // indirect
	github.com/jackc/pgservicefile v0.0.0-20240606120523-5a60cdf6a761 // indirect
	github.com/jackc/puddle/v2 v2.2.3 // indirect
	github.com/lucasb-eyer/go-colorful v1.4.1 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	github.com/mattn/go-runewidth v0.0.31 // indirect
	github.com/muesli/cancelreader v0.2.2 // indirect
	github.com/ncruces/go-strftime v1.0.0 // indirect
	github.com/parquet-go/bitpack v1.0.0 // indirect
	github.com/parquet-go/jsonlite v1.0.0 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	github.com/richardlehane/msoleps v1.0.3 // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	github.com/twpayne/go-geom v1.6.1 // indirect
	github.com/xo/terminfo v0.0.0-20220910002029-abceb7e1c41e // indirect
	golang.org/x/sync v0.22.0 // indirect
	google.golang.org/protobuf v1.34.2 // indirect
	modernc.org/libc v1.75.7 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.12.1 // indirect
)
