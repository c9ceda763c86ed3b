package touchline.packager.hls;

import java.nio.charset.StandardCharsets;

/** Turns playlist text into blocks, plain and compressed. Stateless, any thread. */
final class PlaylistEncoder {
    private PlaylistEncoder() {}

    /** Both blocks carry one reference, owned by the caller. */
    static RenderedPlaylist of(String text, long version, MediaMemory memory) {
        byte[] plain = text.getBytes(StandardCharsets.UTF_8);
        MediaBlock plainBlock = block(plain, memory);
        try {
            return new RenderedPlaylist(plainBlock, block(Gzip.of(plain), memory), version);
        } catch (RuntimeException e) {
            plainBlock.release();
            throw e;
        }
    }

    static void retain(RenderedPlaylist text) {
        text.plain().retain();
        text.gzip().retain();
    }

    static void release(RenderedPlaylist text) {
        text.plain().release();
        text.gzip().release();
    }

    static MediaBlock block(byte[] bytes, MediaMemory memory) {
        MediaBlock block = memory.allocate(bytes.length);
        block.bytes().put(bytes);
        return block;
    }
}
