import type about from '@data/messages/web/about.en.json'
import type account from '@data/messages/web/account.en.json'
import type alerts from '@data/messages/web/alerts.en.json'
import type billing from '@data/messages/web/billing.en.json'
import type billingKinds from '@data/messages/web/billing-kinds.en.json'
import type cart from '@data/messages/web/cart.en.json'
import type catalogue from '@data/messages/web/catalogue.en.json'
import type complaints from '@data/messages/web/complaints.en.json'
import type coupons from '@data/messages/web/coupons.en.json'
import type delivery from '@data/messages/web/delivery.en.json'
import type deliveryCode from '@data/messages/web/delivery-code.en.json'
import type extras from '@data/messages/web/extras.en.json'
import type gallery from '@data/messages/web/gallery.en.json'
import type newsletter from '@data/messages/web/newsletter.en.json'
import type newsletterLinks from '@data/messages/web/newsletter-links.en.json'
import type offlinePage from '@data/messages/web/offline-page.en.json'
import type orders from '@data/messages/web/orders.en.json'
import type packing from '@data/messages/web/packing.en.json'
import type payment from '@data/messages/web/payment.en.json'
import type phoneCodes from '@data/messages/web/phone-codes.en.json'
import type policies from '@data/messages/web/policies.en.json'
import type scan from '@data/messages/web/scan.en.json'
import type seller from '@data/messages/web/seller.en.json'
import type sellerAlerts from '@data/messages/web/seller-alerts.en.json'
import type sellerBilling from '@data/messages/web/seller-billing.en.json'
import type sellerBills from '@data/messages/web/seller-bills.en.json'
import type sellerCash from '@data/messages/web/seller-cash.en.json'
import type sellerCatalogue from '@data/messages/web/seller-catalogue.en.json'
import type sellerComplaints from '@data/messages/web/seller-complaints.en.json'
import type sellerCoupons from '@data/messages/web/seller-coupons.en.json'
import type sellerDelivery from '@data/messages/web/seller-delivery.en.json'
import type sellerFirstSteps from '@data/messages/web/seller-first-steps.en.json'
import type sellerImports from '@data/messages/web/seller-imports.en.json'
import type sellerInventory from '@data/messages/web/seller-inventory.en.json'
import type sellerLists from '@data/messages/web/seller-lists.en.json'
import type sellerMargin from '@data/messages/web/seller-margin.en.json'
import type sellerNewsletter from '@data/messages/web/seller-newsletter.en.json'
import type sellerOrders from '@data/messages/web/seller-orders.en.json'
import type sellerPacking from '@data/messages/web/seller-packing.en.json'
import type sellerPayments from '@data/messages/web/seller-payments.en.json'
import type sellerPictures from '@data/messages/web/seller-pictures.en.json'
import type sellerPolicies from '@data/messages/web/seller-policies.en.json'
import type sellerSales from '@data/messages/web/seller-sales.en.json'
import type sellerSeasons from '@data/messages/web/seller-seasons.en.json'
import type sellerShop from '@data/messages/web/seller-shop.en.json'
import type sellerStaff from '@data/messages/web/seller-staff.en.json'
import type sellerStarter from '@data/messages/web/seller-starter.en.json'
import type sellerStops from '@data/messages/web/seller-stops.en.json'
import type shell from '@data/messages/web/shell.en.json'
import type wishlist from '@data/messages/web/wishlist.en.json'

/** The messages of every part. A test compares this list with the files. */
type AllMessages = typeof about &
  typeof account &
  typeof alerts &
  typeof billing &
  typeof billingKinds &
  typeof cart &
  typeof catalogue &
  typeof complaints &
  typeof coupons &
  typeof delivery &
  typeof deliveryCode &
  typeof extras &
  typeof gallery &
  typeof newsletter &
  typeof newsletterLinks &
  typeof offlinePage &
  typeof orders &
  typeof packing &
  typeof payment &
  typeof phoneCodes &
  typeof policies &
  typeof scan &
  typeof seller &
  typeof sellerAlerts &
  typeof sellerBilling &
  typeof sellerBills &
  typeof sellerCash &
  typeof sellerCatalogue &
  typeof sellerComplaints &
  typeof sellerCoupons &
  typeof sellerDelivery &
  typeof sellerFirstSteps &
  typeof sellerImports &
  typeof sellerInventory &
  typeof sellerLists &
  typeof sellerMargin &
  typeof sellerNewsletter &
  typeof sellerOrders &
  typeof sellerPacking &
  typeof sellerPayments &
  typeof sellerPictures &
  typeof sellerPolicies &
  typeof sellerSales &
  typeof sellerSeasons &
  typeof sellerShop &
  typeof sellerStaff &
  typeof sellerStarter &
  typeof sellerStops &
  typeof shell &
  typeof wishlist

export type MessageId = keyof AllMessages
