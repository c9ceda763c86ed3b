package touchline.packager.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import touchline.packager.delivery.NettyMediaMemory;
import touchline.packager.hls.MediaBlock;
import touchline.packager.hls.MediaBody;
import touchline.packager.hls.MediaUnreachableException;
import touchline.packager.hls.PlaylistEnd;
import touchline.packager.hls.RenderedPlaylist;

final class PlaylistBundleTest {
    private final NettyMediaMemory memory = new NettyMediaMemory();

    @AfterEach
    void nothingIsLeft() {
        assertEquals(0, memory.usedBytes());
    }

    private RenderedPlaylist playlist(String text, long version, PlaylistEnd end)
            throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        byte[] plain = text.getBytes(StandardCharsets.UTF_8);
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(plain);
        }
        return new RenderedPlaylist(
                memory.copy(plain), memory.copy(packed.toByteArray()), version, end);
    }

    private static String text(MediaBlock block) {
        return StandardCharsets.UTF_8.decode(block.bytes()).toString();
    }

    private MediaBlock joined(MediaBody.Blocks body) {
        MediaBlock all = memory.allocate((int) body.sizeBytes());
        ByteBuffer to = all.bytes();
        body.blocks().forEach(block -> to.put(block.bytes()));
        body.close();
        return all;
    }

    @Test
    void windowAndDelta_comeOutAsTheyWentIn() throws IOException {
        PlaylistEnd end = new PlaylistEnd(41, 2, false, 7);
        PlaylistEnd first = new PlaylistEnd(40, -1, true, Integer.MAX_VALUE);
        List<RenderedPlaylist> sent =
                List.of(playlist("#EXTM3U\nä\n", 9, end), playlist("#EXTM3U\n", 8, first));
        String header = PlaylistBundle.header(sent);
        MediaBlock body = joined(PlaylistBundle.body(sent));

        List<RenderedPlaylist> read = PlaylistBundle.read(header, body, memory);

        assertEquals(List.of(end, first), read.stream().map(RenderedPlaylist::end).toList());
        assertEquals(List.of(9L, 8L), read.stream().map(RenderedPlaylist::version).toList());
        assertEquals("#EXTM3U\nä\n", text(read.get(0).plain()));
        assertEquals("#EXTM3U\n", text(read.get(1).plain()));
        ByteBuffer packed = ByteBuffer.allocate(body.sizeBytes());
        read.forEach(each -> packed.put(each.gzip().bytes()));
        assertEquals(body.bytes(), packed.flip());
        read.forEach(RenderedPlaylist::release);
        body.release();
    }

    @Test
    void anythingElse_isRefused_andLeavesNoMemory() throws IOException {
        List<RenderedPlaylist> sent =
                new ArrayList<>(List.of(playlist("#EXTM3U\n", 1, new PlaylistEnd(1, 1, true, 1))));
        String good = PlaylistBundle.header(sent);
        MediaBlock body = joined(PlaylistBundle.body(sent));
        String size = good.substring(0, good.indexOf(';'));
        for (String header :
                List.of(
                        "",
                        "x",
                        good + ", " + good,
                        good + ", " + good + ", " + good,
                        good.replaceFirst(size, "1"),
                        good.replaceFirst(size, "-1"),
                        good.replaceFirst(size, "99999999"),
                        good.replaceFirst(";1;", ";one;"))) {
            assertThrows(
                    MediaUnreachableException.class,
                    () -> PlaylistBundle.read(header, body, memory),
                    header);
        }
        body.release();
    }

    @Test
    void bytesThatNoPlaylistHas_areRefused_andLeaveNoMemory() throws IOException {
        List<RenderedPlaylist> sent =
                List.of(
                        playlist("#EXTM3U\n", 2, new PlaylistEnd(1, 1, true, 1)),
                        playlist("#EXTM3U\n", 1, new PlaylistEnd(1, 1, true, 1)));
        String first = PlaylistBundle.header(sent.subList(0, 1));
        int more = sent.getLast().gzip().sizeBytes();
        MediaBlock body = joined(PlaylistBundle.body(sent));

        var refused =
                assertThrows(
                        MediaUnreachableException.class,
                        () -> PlaylistBundle.read(first, body, memory));

        assertEquals("playlists: " + more + " bytes too many", refused.getMessage());
        body.release();
    }
}
