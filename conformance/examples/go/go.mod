module example.com/my-agent

go 1.19
