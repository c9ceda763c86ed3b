package touchline.packager.audience;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import touchline.packager.audience.CmcdReader.ObjectType;

class CmcdReaderTest {
    private static final String SID = "6e2fb550-c457-11e9-bb97-0800200c9a66";

    private final CmcdReader reader = new CmcdReader();

    private CmcdReader header(String value) {
        reader.clear();
        reader.readHeader(value);
        return reader;
    }

    private CmcdReader query(String value) {
        reader.clear();
        reader.readQuery(URLEncoder.encode(value, StandardCharsets.UTF_8));
        return reader;
    }

    /** The example of CTA-5004, with what hls.js sends. */
    @Test
    void read_everyKey_inBothForms() {
        String all =
                "bl=21300,br=3200,bs,cid=\"faec5fc2, br=1\",d=4004,mtp=25400,nor=\"..%2F300kbps%2F"
                        + "track.m4v\",nrr=\"12323-48763\",ot=av,pr=1.08,rtp=12000,sf=h,sid=\""
                        + SID
                        + "\",st=l,su,tb=6000,com.example-br=9";
        for (CmcdReader read : new CmcdReader[] {header(all), query(all)}) {
            assertEquals(SID, read.sid().toString());
            assertEquals(3200, read.kbps());
            assertEquals(ObjectType.VIDEO, read.objectType());
            assertTrue(read.isStarved());
            assertTrue(read.isUrgent());
        }
    }

    @Test
    void read_severalHeaders_areOneReport() {
        header("sid=\"" + SID + "\",st=l,v=1");
        reader.readHeader("br=1000,d=2000,ot=v");
        reader.readHeader("bl=500,su");
        reader.readHeader("bs");

        assertEquals(SID, reader.sid().toString());
        assertEquals(1000, reader.kbps());
        assertTrue(reader.isStarved());
        assertTrue(reader.isUrgent());

        assertFalse(header("br=7").hasSid(), "the report before is gone");
        assertFalse(reader.isStarved());
        assertFalse(reader.isUrgent());
        assertEquals(7, reader.kbps());
        assertEquals(ObjectType.UNKNOWN, reader.objectType());
    }

    @ParameterizedTest
    @CsvSource({
        "ot=v,VIDEO",
        "ot=av,VIDEO",
        "ot=a,AUDIO",
        "ot=m,NO_MEDIA",
        "ot=i,NO_MEDIA",
        "ot=tt,NO_MEDIA",
        "ot=k,NO_MEDIA",
        "ot=c,NO_MEDIA",
        "ot=o,UNKNOWN",
        "ot=,UNKNOWN",
        "ot,UNKNOWN"
    })
    void read_objectType(String text, ObjectType expected) {
        assertEquals(expected, header(text).objectType());
        assertEquals(expected, header(text + ",br=5").objectType());
        assertEquals(5, reader.kbps(), "the next key is read");
    }

    @Test
    void read_flags() {
        assertTrue(header("bs").isStarved());
        assertTrue(header("bs=true,su=?1").isStarved());
        assertTrue(reader.isUrgent());
        assertFalse(header("bs=?0,su=false").isStarved());
        assertFalse(reader.isUrgent());
        assertFalse(header("bsx,xbs").isStarved());
    }

    @Test
    void read_sidWithEscapes_isResolved() {
        assertEquals("a\"b\\c", header("sid=\"a\\\"b\\\\c\"").sid().toString());
        assertEquals(
                "a b",
                query("sid=\"a b\"".replace(" ", "%20")).sid().toString().replace("%20", " "));
        reader.clear();
        reader.readQuery("sid%3d%22a%2Cb%22%2cbr%3D4");
        assertEquals("a,b", reader.sid().toString());
        assertEquals(4, reader.kbps());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",,,",
                "=",
                "sid",
                "sid=",
                "sid=abc",
                "sid=\"",
                "sid=\"abc",
                "sid=\"\"",
                "sid=\"abc\\",
                "SID=\"abc\"",
                "xsid=\"abc\"",
                "abcdefghsid=\"abc\"",
                "br=1;sid=\"abc\""
            })
    void read_noSessionId(String text) {
        assertFalse(header(text).hasSid());
        assertFalse(query(text).hasSid());
    }

    @Test
    void read_badNumbers_areNone() {
        assertEquals(0, header("br=-1").kbps());
        assertEquals(0, header("br=1.5").kbps());
        assertEquals(0, header("br=99999999999999999999").kbps());
        assertEquals(0, header("br=\"5\"").kbps());
        assertEquals(5, header("br=(5),ot=v").kbps());
        assertEquals(5, header("br=(5;v 6)").kbps());
        assertEquals(0, header("br=(x)").kbps());
        assertEquals(100_000_000, header("br=100000000").kbps());
    }

    @Test
    void read_isBounded() {
        String longest = "s".repeat(CmcdReader.MAX_SID_CHARACTERS);
        assertEquals(longest, header("sid=\"" + longest + "\"").sid().toString());
        assertFalse(header("sid=\"" + longest + "s\"").hasSid());
        String before = "x=\"" + "y".repeat(CmcdReader.MAX_CHARACTERS) + "\",";
        assertFalse(header(before + "sid=\"abc\"").hasSid());
    }

    @ParameterizedTest
    @ValueSource(strings = {"%", "%2", "%zz", "br%3D5%", "sid%3D%22abc%2"})
    void readQuery_brokenEscapes_endNothing(String text) {
        reader.clear();
        reader.readQuery(text);
        assertFalse(reader.hasSid());
    }
}
