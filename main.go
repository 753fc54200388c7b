// Command sdcdesk is an interactive terminal workbench for statistical
// disclosure control of microdata.
package main

func main() {}
