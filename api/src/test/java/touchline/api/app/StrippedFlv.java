package touchline.api.app;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** FLV files of the ffmpeg command line (Adobe FLV 10.1, annex E) without some of their video. */
final class StrippedFlv {
    private static final int FILE_HEADER_BYTES = 9 + 4;
    private static final int TAG_HEADER_BYTES = 11;
    private static final int SIZE_BYTES = 4;
    private static final int VIDEO = 9;
    private static final int AVC_FRAME = 1;

    private StrippedFlv() {}

    /** Copies a file without the frames of a time; sequence headers stay. */
    static Path withoutFrames(Path flv, long fromMs, long toMs, Path target) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(flv));
        ByteBuffer out = ByteBuffer.allocate(in.capacity());
        out.put(in.slice(0, FILE_HEADER_BYTES));
        int at = FILE_HEADER_BYTES;
        while (at < in.capacity()) {
            int type = in.get(at) & 0x1f;
            int size = in.getInt(at) & 0xff_ffff;
            int low = in.getInt(at + 4);
            long timeMs = (low >>> 8) | (low & 0xffL) << 24;
            int length = TAG_HEADER_BYTES + size + SIZE_BYTES;
            boolean isFrame =
                    type == VIDEO && in.get(at + TAG_HEADER_BYTES + 1) == AVC_FRAME;
            if (!isFrame || timeMs < fromMs || timeMs >= toMs) {
                out.put(in.slice(at, length));
            }
            at += length;
        }
        byte[] bytes = new byte[out.position()];
        out.flip().get(bytes);
        return Files.write(target, bytes);
    }
}
