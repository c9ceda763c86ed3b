package touchline.ingest.rtmp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import touchline.ingest.amf.AmfValue;
import touchline.ingest.amf.AmfValue.EcmaArray;
import touchline.ingest.amf.AmfValue.Num;
import touchline.ingest.amf.AmfValue.Obj;
import touchline.ingest.amf.AmfValue.Text;
import touchline.media.hub.TrackLabel;
import touchline.media.hub.TrackNumber;

class OnMetaDataTest {
    private static OnMetaData read(Map<String, AmfValue> properties) {
        return OnMetaData.of(
                        new RtmpMessage.Data(
                                1,
                                "@setDataFrame",
                                List.of(new Text("onMetaData"), new EcmaArray(properties))))
                .orElseThrow();
    }

    @Test
    void trackMaps_labelTheTracks() {
        OnMetaData metadata =
                read(
                        Map.of(
                                "language",
                                new Text("eng"),
                                "title",
                                new Text("Cup final"),
                                "audioTrackIdInfoMap",
                                new Obj(
                                        Map.of(
                                                "1",
                                                new Obj(
                                                        Map.of(
                                                                "language",
                                                                new Text("spa"),
                                                                "name",
                                                                new Text("Radio"))),
                                                "2",
                                                new Obj(Map.of("channels", new Num(2))),
                                                "300",
                                                new Obj(Map.of("language", new Text("fr"))))),
                                "videoTrackIdInfoMap",
                                new EcmaArray(
                                        Map.of("1", new Obj(Map.of("title", new Text("480p")))))));

        assertEquals(
                Map.of(
                        new TrackNumber(false, 0),
                        new TrackLabel("en", ""),
                        new TrackNumber(false, 1),
                        new TrackLabel("es", "Radio"),
                        new TrackNumber(true, 1),
                        new TrackLabel("", "480p")),
                metadata.labels());
    }

    @Test
    void otherShapes_labelNothing() {
        assertTrue(read(Map.of("audioTrackIdInfoMap", new Num(1))).labels().isEmpty());
        assertTrue(
                read(Map.of("audioTrackIdInfoMap", new Obj(Map.of("1", new Num(2)))))
                        .labels()
                        .isEmpty());
        assertTrue(read(Map.of("language", new Num(7))).labels().isEmpty());
    }
}
