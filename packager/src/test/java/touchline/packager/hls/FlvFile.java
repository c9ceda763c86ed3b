package touchline.packager.hls;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import touchline.media.AccessUnit;
import touchline.media.CodecConfig;
import touchline.media.Timescale;
import touchline.media.Track;
import touchline.media.codec.AudioSpecificConfig;
import touchline.media.codec.AvcConfig;

/**
 * A well-formed FLV file of H.264 and AAC, as the ffmpeg command line writes it (Adobe FLV 10.1,
 * annex E); just enough of a reader to feed the packager with real frames.
 */
public final class FlvFile {
    private static final int AUDIO = 8;
    private static final int VIDEO = 9;

    public final List<AccessUnit> units = new ArrayList<>();
    public final List<Track> tracks = new ArrayList<>();
    private Track video = TestMedia.VIDEO;
    private Track audio = TestMedia.AUDIO;

    public static FlvFile read(Path file) throws IOException {
        FlvFile flv = new FlvFile();
        ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file));
        in.position(9 + 4);
        while (in.hasRemaining()) {
            int type = in.get();
            int size = u24(in);
            long timeMs = u24(in) | (in.get() & 0xFFL) << 24;
            in.position(in.position() + 3);
            byte[] body = new byte[size];
            in.get(body);
            in.getInt();
            flv.tag(type, timeMs, body);
        }
        return flv;
    }

    private void tag(int type, long timeMs, byte[] body) {
        if (type == VIDEO) {
            int offsetMs = (body[2] << 24 | (body[3] & 0xFF) << 16 | (body[4] & 0xFF) << 8) >> 8;
            MemorySegment data = rest(body, 5);
            if (body[1] == 0) {
                AvcConfig config = AvcConfig.parse(data);
                video = new Track(1, Timescale.VIDEO, new CodecConfig.Avc(config));
                tracks.addFirst(video);
            } else if (body[1] == 1) {
                boolean key = body[0] >> 4 == 1;
                units.add(new AccessUnit(video, timeMs * 90, offsetMs * 90, key, data));
            }
        } else if (type == AUDIO) {
            MemorySegment data = rest(body, 2);
            if (body[1] == 0) {
                AudioSpecificConfig config = AudioSpecificConfig.parse(data);
                Timescale timescale = new Timescale(config.sampleRateHz());
                audio = new Track(2, timescale, new CodecConfig.Aac(config));
                tracks.addLast(audio);
            } else {
                long ticks = audio.timescale().fromUs(timeMs * 1_000);
                units.add(new AccessUnit(audio, ticks, 0, true, data));
            }
        }
    }

    private static MemorySegment rest(byte[] body, int from) {
        return MemorySegment.ofArray(Arrays.copyOfRange(body, from, body.length));
    }

    private static int u24(ByteBuffer in) {
        return (in.get() & 0xFF) << 16 | (in.get() & 0xFF) << 8 | (in.get() & 0xFF);
    }
}
