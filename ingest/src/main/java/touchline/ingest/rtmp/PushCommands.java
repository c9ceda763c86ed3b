package touchline.ingest.rtmp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import touchline.ingest.amf.AmfValue;
import touchline.ingest.flv.FlvMuxer;
import touchline.media.Track;
import touchline.media.codec.VideoSequence;

/** The commands and data messages of a publishing client, literally. Stateless, any thread. */
final class PushCommands {
    static final int CONNECT = 1;
    static final int RELEASE_STREAM = 2;
    static final int FC_PUBLISH = 3;
    static final int CREATE_STREAM = 4;
    static final int PUBLISH = 5;

    private static final String ENCODER = "Touchline";

    /** The codes of Enhanced RTMP that this client can send. */
    private static final List<String> VIDEO_FOUR_CCS = List.of("avc1", "hvc1", "av01");

    private static final List<String> AUDIO_FOUR_CCS = List.of("mp4a", ".mp3", "Opus");

    /** Enhanced RTMP v2, FourCcInfoMask: 2 is "can encode", which is what a publisher does. */
    private static final int CAN_ENCODE = 2;

    private PushCommands() {}

    /** {@code connect} (RTMP 1.0, 7.2.1.1; Enhanced RTMP v2, "Enhancing NetConnection connect"). */
    static RtmpMessage.Command connect(RtmpTarget target) {
        return connect(target, Map.of());
    }

    /**
     * @param more properties, which replace those of this client
     */
    static RtmpMessage.Command connect(RtmpTarget target, Map<String, AmfValue> more) {
        Map<String, AmfValue> properties = new LinkedHashMap<>();
        properties.put("app", text(target.app()));
        properties.put("type", text("nonprivate"));
        properties.put("flashVer", text("FMLE/3.0 (compatible; " + ENCODER + ")"));
        properties.put("tcUrl", text(target.tcUrl()));
        List<AmfValue> all = new ArrayList<>();
        VIDEO_FOUR_CCS.forEach(each -> all.add(text(each)));
        AUDIO_FOUR_CCS.forEach(each -> all.add(text(each)));
        properties.put("fourCcList", new AmfValue.Array(all));
        properties.put("videoFourCcInfoMap", infoMap(VIDEO_FOUR_CCS));
        properties.put("audioFourCcInfoMap", infoMap(AUDIO_FOUR_CCS));
        properties.put("capsEx", new AmfValue.Num(0));
        properties.putAll(more);
        return new RtmpMessage.Command(
                /* messageStreamId= */ 0,
                "connect",
                CONNECT,
                List.of(new AmfValue.Obj(properties)));
    }

    /** What follows the answer to {@code connect}: the order of Flash Media Live Encoder. */
    static List<RtmpMessage> createStream(String streamKey, int chunkBytes) {
        return List.of(
                new RtmpMessage.WindowAcknowledgementSize(RtmpReplies.WINDOW_BYTES),
                new RtmpMessage.SetChunkSize(chunkBytes),
                command("releaseStream", RELEASE_STREAM, text(streamKey)),
                command("FCPublish", FC_PUBLISH, text(streamKey)),
                command("createStream", CREATE_STREAM));
    }

    /** {@code publish} (RTMP 1.0, 7.2.2.6). */
    static RtmpMessage publish(int messageStreamId, String streamKey) {
        return new RtmpMessage.Command(
                messageStreamId,
                "publish",
                PUBLISH,
                List.of(AmfValue.Absent.NULL, text(streamKey), text("live")));
    }

    /** The end of a publish. */
    static List<RtmpMessage> end(int messageStreamId, String streamKey) {
        return List.of(
                command("FCUnpublish", 0, text(streamKey)),
                command("deleteStream", 0, new AmfValue.Num(messageStreamId)));
    }

    /** {@code onMetaData} of the tracks that follow. */
    static RtmpMessage metadata(int messageStreamId, List<Track> tracks) {
        Map<String, AmfValue> properties = new LinkedHashMap<>();
        for (Track track : tracks) {
            AmfValue id = new AmfValue.Num(FlvMuxer.metadataId(track.codec()));
            if (track.isVideo()) {
                properties.put("videocodecid", id);
                for (VideoSequence size : track.codec().sequences()) {
                    properties.put("width", new AmfValue.Num(size.width()));
                    properties.put("height", new AmfValue.Num(size.height()));
                }
            } else {
                properties.put("audiocodecid", id);
                properties.put(
                        "audiosamplerate", new AmfValue.Num(track.timescale().ticksPerSecond()));
            }
        }
        properties.put("encoder", text(ENCODER));
        return new RtmpMessage.Data(
                messageStreamId,
                "@setDataFrame",
                List.of(text("onMetaData"), new AmfValue.EcmaArray(properties)));
    }

    private static RtmpMessage command(String name, int transactionId, AmfValue... more) {
        List<AmfValue> arguments = new ArrayList<>();
        arguments.add(AmfValue.Absent.NULL);
        arguments.addAll(List.of(more));
        return new RtmpMessage.Command(/* messageStreamId= */ 0, name, transactionId, arguments);
    }

    private static AmfValue infoMap(List<String> fourCcs) {
        Map<String, AmfValue> map = new LinkedHashMap<>();
        fourCcs.forEach(fourCc -> map.put(fourCc, new AmfValue.Num(CAN_ENCODE)));
        return new AmfValue.Obj(map);
    }

    private static AmfValue text(String value) {
        return new AmfValue.Text(value);
    }
}
