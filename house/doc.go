// Package house has the tests of the project's shape: which package may import which, how
// long files and functions are, which names are explained, and that scripts of earlier
// versions still make the same files.
package house
