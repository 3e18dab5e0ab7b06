filedesc://old.arc 0.0.0.0 19970101000000 text/plain 67
1 0 Maker
URL IP-address Archive-date Content-type Archive-length


http://example.org/ 192.0.2.1 19970203040506 text/html 67
HTTP/1.1 200 OK
Content-Type: text/html

<h1>Old</h1><p>page</p>
http://example.org/a.txt 192.0.2.1 19970203040507 text/plain 53
HTTP/1.1 200 OK
Content-Type: text/plain

old text
