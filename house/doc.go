// Package house has the tests of the project's structure: imports between packages, length of files and functions,
// doc comments of exported names, and that scripts of earlier versions still produce the same files.
package house
