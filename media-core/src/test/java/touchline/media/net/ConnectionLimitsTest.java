package touchline.media.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import touchline.media.net.ConnectionLimits.Admission;

class ConnectionLimitsTest {
    private static InetAddress address(int last) throws UnknownHostException {
        return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last});
    }

    @Test
    void tryOpen_aboveTheTotal_isRefusedUntilOneCloses() throws UnknownHostException {
        ConnectionLimits limits = new ConnectionLimits(2, 0, _ -> false);
        assertEquals(Admission.OPENED, limits.tryOpen(address(1)));
        assertEquals(Admission.OPENED, limits.tryOpen(address(1)));
        assertEquals(Admission.LIMIT, limits.tryOpen(address(2)));
        limits.close(address(1));
        assertEquals(Admission.OPENED, limits.tryOpen(address(2)));
        assertEquals(2, limits.open());
    }

    @Test
    void tryOpen_aboveTheAddressLimit_isRefusedForThatAddressOnly() throws UnknownHostException {
        ConnectionLimits limits = new ConnectionLimits(10, 1, _ -> false);
        assertEquals(Admission.OPENED, limits.tryOpen(address(1)));
        assertEquals(Admission.ADDRESS_LIMIT, limits.tryOpen(address(1)));
        assertEquals(Admission.OPENED, limits.tryOpen(address(2)));
        limits.close(address(1));
        limits.close(address(2));
        assertEquals(0, limits.open());
        assertEquals(0, limits.addresses());
    }

    @Test
    void tryOpen_sharedAddress_hasTheTotalLimitOnly() throws UnknownHostException {
        ConnectionLimits limits = new ConnectionLimits(3, 1, address(9)::equals);
        assertEquals(Admission.OPENED, limits.tryOpen(address(9)));
        assertEquals(Admission.OPENED, limits.tryOpen(address(9)));
        assertEquals(Admission.OPENED, limits.tryOpen(address(9)));
        assertEquals(Admission.LIMIT, limits.tryOpen(address(9)));
        limits.close(address(9));
        assertEquals(2, limits.open());
        assertEquals(0, limits.addresses());
    }

    @Test
    void addresses_ofOneIpv6Network_countTogether() throws Exception {
        ConnectionLimits limits = new ConnectionLimits(10, 1, _ -> false);
        assertEquals(Admission.OPENED, limits.tryOpen(InetAddress.getByName("2001:db8:1:2::1")));
        assertEquals(
                Admission.ADDRESS_LIMIT,
                limits.tryOpen(InetAddress.getByName("2001:db8:1:2:ffff::9")));
        assertEquals(Admission.OPENED, limits.tryOpen(InetAddress.getByName("2001:db8:1:3::1")));
        limits.close(InetAddress.getByName("2001:db8:1:2::77"));
        assertEquals(1, limits.addresses());
    }

    @Test
    void changedLimits_holdForNewConnections() throws UnknownHostException {
        int[] limits = {10, 0};
        ConnectionLimits open = new ConnectionLimits(() -> limits[0], () -> limits[1], _ -> false);
        assertEquals(Admission.OPENED, open.tryOpen(address(1)));
        assertEquals(Admission.OPENED, open.tryOpen(address(1)));

        limits[1] = 2;
        assertEquals(Admission.ADDRESS_LIMIT, open.tryOpen(address(1)));
        open.close(address(1));
        assertEquals(Admission.OPENED, open.tryOpen(address(1)));

        limits[0] = 2;
        assertEquals(Admission.LIMIT, open.tryOpen(address(2)));
        open.close(address(1));
        open.close(address(1));
        assertEquals(0, open.addresses());
    }
}
