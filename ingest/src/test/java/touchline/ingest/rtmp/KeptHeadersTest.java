package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import touchline.ingest.amf.AmfValue;

class KeptHeadersTest {
    private final KeptHeaders kept = new KeptHeaders();

    @Test
    void newestHeaderOfEachTrack_andNewestMetadata_areKept() {
        RtmpMessage old = video(0, RtmpBytes.AVC_HEADER);
        RtmpMessage audio = audio(0, RtmpBytes.AAC_HEADER);
        video(1, RtmpBytes.KEY_FRAME);
        audio(2, RtmpBytes.AUDIO);
        RtmpMessage further = video(3, "96 00 61766331 01" + RtmpBytes.AVC_CONFIG);
        RtmpMessage newer = video(4, RtmpBytes.AVC_HEADER);
        kept.data(metadata("first"));
        RtmpMessage.Data newest = metadata("second");
        kept.data(newest);
        kept.data(new RtmpMessage.Data(1, "onCuePoint", List.of()));

        assertEquals(List.of(newest, audio, further, newer), kept.all());
        assertEquals(-1, ((RtmpMessage.Video) old).payload().mismatch(payload(newer)));
    }

    @Test
    void whatIsNoHeader_tooLarge_orOneTooMany_isDropped() {
        video(0, "");
        video(0, "17");
        video(0, "1200000000");
        video(0, "90 78787878 00");
        audio(0, "2f ff");
        assertEquals(List.of(), kept.all());

        kept.media(
                new RtmpMessage.Video(0, MemorySegment.NULL),
                true,
                MemorySegment.ofArray(
                        RtmpBytes.join(
                                RtmpBytes.hex(RtmpBytes.AVC_HEADER),
                                new byte[KeptHeaders.MAX_BYTES])));
        assertEquals(List.of(), kept.all());

        List<RtmpMessage> sent = new ArrayList<>();
        for (int track = 1; track <= KeptHeaders.MAX_HEADERS + 5; track++) {
            sent.add(video(0, "96 00 61766331 %02x".formatted(track) + RtmpBytes.AVC_CONFIG));
        }
        assertEquals(sent.subList(0, KeptHeaders.MAX_HEADERS), kept.all());
    }

    private static MemorySegment payload(RtmpMessage message) {
        return ((RtmpMessage.Video) message).payload();
    }

    private RtmpMessage video(long timestampMs, String hex) {
        MemorySegment payload = MemorySegment.ofArray(RtmpBytes.hex(hex.replace(" ", "")));
        RtmpMessage message = new RtmpMessage.Video(timestampMs, payload);
        kept.media(message, true, payload);
        return message;
    }

    private RtmpMessage audio(long timestampMs, String hex) {
        MemorySegment payload = MemorySegment.ofArray(RtmpBytes.hex(hex.replace(" ", "")));
        RtmpMessage message = new RtmpMessage.Audio(timestampMs, payload);
        kept.media(message, false, payload);
        return message;
    }

    private static RtmpMessage.Data metadata(String encoder) {
        return new RtmpMessage.Data(
                1,
                "@setDataFrame",
                List.of(
                        new AmfValue.Text("onMetaData"),
                        new AmfValue.Obj(Map.of("encoder", new AmfValue.Text(encoder)))));
    }
}
