package touchline.benchmarks.caches;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

final class PlaylistReaderTest {
    private static final URI MEDIA = URI.create("http://127.0.0.1:80/id/session/media.m3u8");
    private static final String PLAYLIST =
            """
            #EXTM3U
            #EXT-X-MEDIA-SEQUENCE:7
            #EXT-X-SKIP:SKIPPED-SEGMENTS=3
            #EXTINF:2.0,
            s10.m4s
            #EXT-X-PART:DURATION=0.25,URI="s11.1.m4s",INDEPENDENT=YES
            #EXT-X-PRELOAD-HINT:TYPE=PART,URI="s11.2.m4s"
            """;

    @Test
    void listing_ofDeltaUpdate_hasPartsAndHint() {
        PlaylistReader.Listing listing = PlaylistReader.parse(PLAYLIST, MEDIA);

        assertEquals("/id/session/s11.2.m4s", listing.hint());
        assertEquals(11, listing.playlist().parts().getLast().mediaSequence());
        assertEquals("_HLS_msn=11&_HLS_part=1", listing.playlist().reloadQuery());
    }

    @Test
    void listing_withoutHint_hasNone() {
        String without = PLAYLIST.replaceAll("#EXT-X-PRELOAD.*", "# no hint");

        assertEquals("", PlaylistReader.parse(without, MEDIA).hint());
    }

    @Test
    void read_ofTheSameBytes_isParsedOnce() throws IOException {
        PlaylistReader reader = new PlaylistReader(MEDIA);

        PlaylistReader.Listing first = reader.read(zipped());

        assertEquals("/id/session/s11.2.m4s", first.hint());
        assertSame(first, reader.read(zipped()));
    }

    private static PlayerConnection.Answer zipped() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(PLAYLIST.getBytes(StandardCharsets.UTF_8));
        }
        String head = "http/1.1 200 ok\r\ncontent-encoding: gzip\r\n\r\n";
        return new PlayerConnection.Answer(200, head, bytes.toByteArray(), bytes.size(), 0);
    }
}
