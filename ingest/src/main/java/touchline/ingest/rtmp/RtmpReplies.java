package touchline.ingest.rtmp;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import touchline.ingest.amf.AmfValue;
import touchline.media.hub.EndReason;
import touchline.media.hub.LiveStreams;

/** The server's answers to commands, literally. Stateless, any thread. */
final class RtmpReplies {
    /** Window for acknowledgements in both directions, the usual one of Flash servers. */
    static final int WINDOW_BYTES = 2_500_000;

    static final int CHUNK_SIZE = 4_096;

    static final String START = "NetStream.Publish.Start";
    static final String BAD_NAME = "NetStream.Publish.BadName";
    static final String DENIED = "NetStream.Publish.Denied";
    static final String REJECTED = "NetStream.Publish.Rejected";
    static final String IDLE = "NetStream.Publish.Idle";
    static final String UNPUBLISHED = "NetStream.Unpublish.Success";
    static final String PLAY_FAILED = "NetStream.Play.Failed";

    private static final int DYNAMIC_LIMIT = 2;

    /** CapsExMask of Enhanced RTMP v2: messages may have several tracks. */
    private static final int CAPS_MULTITRACK = 2;

    private static final List<String> VIDEO_FOUR_CCS = List.of("avc1", "hvc1", "av01");
    private static final List<String> AUDIO_FOUR_CCS = List.of("mp4a", ".mp3", "Opus");

    /** An {@code onStatus}: what happened, and to which message stream. */
    record Status(int messageStreamId, boolean error, String code, String description) {
        RtmpMessage message() {
            return message(info());
        }

        /** The properties of the information object. */
        Map<String, AmfValue> info() {
            Map<String, AmfValue> info = new LinkedHashMap<>();
            info.put("level", new AmfValue.Text(error ? "error" : "status"));
            info.put("code", new AmfValue.Text(code));
            info.put("description", new AmfValue.Text(description));
            return info;
        }

        /** The same with other properties. */
        RtmpMessage message(Map<String, AmfValue> info) {
            return new RtmpMessage.Command(
                    messageStreamId,
                    "onStatus",
                    /* transactionId= */ 0,
                    List.of(AmfValue.Absent.NULL, new AmfValue.Obj(info)));
        }
    }

    private RtmpReplies() {}

    /** Everything that follows a connect command, in the order of RTMP 1.0, 7.2.1.1. */
    static List<RtmpMessage> connected(RtmpMessage.Command connect) {
        AmfValue asked = connect.argument(0);
        Map<String, AmfValue> properties = new LinkedHashMap<>();
        properties.put("fmsVer", new AmfValue.Text("FMS/3,0,1,123"));
        properties.put("capabilities", new AmfValue.Num(31));
        Map<String, AmfValue> info = new LinkedHashMap<>();
        info.put("level", new AmfValue.Text("status"));
        info.put("code", new AmfValue.Text("NetConnection.Connect.Success"));
        info.put("description", new AmfValue.Text("Connection succeeded."));
        info.put("objectEncoding", new AmfValue.Num(objectEncoding(asked)));
        if (asked.property("fourCcList").isPresent()
                || asked.property("videoFourCcInfoMap").isPresent()) {
            info.put("fourCcList", fourCcList());
            info.put("videoFourCcInfoMap", infoMap(VIDEO_FOUR_CCS));
            info.put("audioFourCcInfoMap", infoMap(AUDIO_FOUR_CCS));
            info.put("capsEx", new AmfValue.Num(CAPS_MULTITRACK));
        }
        return List.of(
                new RtmpMessage.WindowAcknowledgementSize(WINDOW_BYTES),
                new RtmpMessage.SetPeerBandwidth(WINDOW_BYTES, DYNAMIC_LIMIT),
                new RtmpMessage.UserControl(RtmpMessage.UserControl.STREAM_BEGIN, 0),
                new RtmpMessage.SetChunkSize(CHUNK_SIZE),
                result(connect, new AmfValue.Obj(properties), new AmfValue.Obj(info)));
    }

    /** A {@code _result} with its two arguments. */
    static RtmpMessage result(RtmpMessage.Command command, AmfValue first, AmfValue second) {
        return new RtmpMessage.Command(
                /* messageStreamId= */ 0,
                "_result",
                command.transactionId(),
                List.of(first, second));
    }

    /** A {@code _result} without information. */
    static RtmpMessage accepted(RtmpMessage.Command command) {
        return result(command, AmfValue.Absent.NULL, AmfValue.Absent.UNDEFINED);
    }

    /** Status for an encoder that the server cuts. */
    static Status cut(int messageStreamId, EndReason reason) {
        return switch (reason) {
            case COMPLETED, PUBLISHER_GONE ->
                    new Status(messageStreamId, false, UNPUBLISHED, "The session was completed.");
            case SHUTDOWN ->
                    new Status(messageStreamId, false, UNPUBLISHED, "The server is stopping.");
            case FAILED ->
                    new Status(messageStreamId, true, DENIED, "Packaging the stream failed.");
            case TIMESTAMP_JUMPS ->
                    new Status(
                            messageStreamId,
                            true,
                            REJECTED,
                            "timestamp_jumps: timestamps jump all the time. Let the encoder stamp"
                                    + " from one clock.");
            case TAKEN_OVER ->
                    new Status(
                            messageStreamId,
                            true,
                            BAD_NAME,
                            "Another publisher took over after silence.");
            case GAVE_WAY -> tooSoon(messageStreamId, LiveStreams.START_GAP.toSeconds());
            case DISABLED -> new Status(messageStreamId, true, DENIED, "The stream was disabled.");
            case DELETED -> new Status(messageStreamId, true, BAD_NAME, "The stream was deleted.");
            case KEY_RESET ->
                    new Status(messageStreamId, true, BAD_NAME, "The stream key was replaced.");
        };
    }

    /** Status for a scoreboard push that starts too soon after its programme. */
    static Status tooSoon(int messageStreamId, long retryInSeconds) {
        return new Status(
                messageStreamId,
                true,
                DENIED,
                "The main push has just started: retry in " + retryInSeconds + " s.");
    }

    /** Status for an encoder whose session a client completed shortly before. */
    static Status completed(int messageStreamId, long retryInSeconds) {
        return new Status(
                messageStreamId,
                true,
                DENIED,
                "The session was completed: this encoder may publish again in "
                        + retryInSeconds
                        + " s, any other at once.");
    }

    /** Status for a publisher that has ended. */
    static Status unpublished(int messageStreamId) {
        return new Status(messageStreamId, false, UNPUBLISHED, "Publishing stopped.");
    }

    /** Status for a client that plays. */
    static Status play(int messageStreamId) {
        return new Status(
                messageStreamId, true, PLAY_FAILED, "This port takes publishers; viewers use HLS.");
    }

    /** Status for a publisher beside another one. */
    static Status busy(int messageStreamId) {
        return new Status(messageStreamId, true, BAD_NAME, "The stream is already publishing.");
    }

    /** Confirms AMF3 to clients that request it; they may then send AMF0 or AMF3. */
    private static double objectEncoding(AmfValue asked) {
        Optional<Double> encoding = asked.property("objectEncoding").flatMap(AmfValue::number);
        return encoding.orElse(0.0) == 3 ? 3 : 0;
    }

    private static AmfValue fourCcList() {
        List<AmfValue> all =
                Stream.concat(VIDEO_FOUR_CCS.stream(), AUDIO_FOUR_CCS.stream())
                        .map(fourCc -> (AmfValue) new AmfValue.Text(fourCc))
                        .toList();
        return new AmfValue.Array(all);
    }

    /** Enhanced RTMP v2, FourCcInfoMask: 4 is "can forward". */
    private static AmfValue infoMap(List<String> fourCcs) {
        Map<String, AmfValue> map = new LinkedHashMap<>();
        fourCcs.forEach(fourCc -> map.put(fourCc, new AmfValue.Num(4)));
        return new AmfValue.Obj(map);
    }
}
